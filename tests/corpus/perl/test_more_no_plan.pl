# A plan at the end, a list of what is imported.
use Test::More 'no_plan', import => [qw(ok is)];
ok 1, 'one';
is 1, 2, 'two';
print defined &isnt ? 'all' : 'two of them', "\n";
