use Test::Simple tests => 3;
ok 1, 'fine';
ok 0, 'not fine';
