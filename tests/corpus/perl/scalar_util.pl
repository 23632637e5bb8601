use strict; use warnings;
use Scalar::Util qw(blessed reftype looks_like_number dualvar weaken refaddr readonly);
my $o = bless [], 'Foo'; print blessed($o), " ", reftype($o), " ", blessed([]) // 'undef', "\n";
print join(',', map { looks_like_number($_) ? 1 : 0 } 1, '1e5', 'abc', '0x10', ' 12 ', 'Inf', ''), "\n";
my $d = dualvar(5, 'five'); print $d + 1, " $d\n"; my $p = { name => 'p' }; my $c = { parent => $p }; weaken($c->{parent}); $p->{kid} = $c; print $c->{parent}{name}, "\n"; undef $p; print defined $c->{parent} ? 'alive' : 'freed', "\n"; print refaddr($o) == $o + 0 ? "same\n" : "differs\n";
