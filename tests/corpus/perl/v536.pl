use v5.36;
use builtin qw(true false is_bool trim ceil floor reftype blessed refaddr indexed weaken);
no warnings 'experimental';
sub greet($name, $greeting = 'Hello', @rest) { return "$greeting, $name!" . (@rest ? " (@rest)" : '') }
say greet('World');
say greet('World', 'Hi', 1, 2);
say join ',', map { is_bool($_) ? 'bool' : 'plain' } true, false, 1 == 1, 1, '';
say '[', trim("  padded text \n"), ']', ceil(1.2), floor(-1.2);
my @colours = qw(red green blue);
foreach my ($i, $colour) (indexed @colours) { say "$i: $colour" }
my %ages = (ann => 30, bob => 25);
for my ($name, $age) (map { $_ => $ages{$_} } sort keys %ages) { say "$name is $age" }
my $aref = [1, 2, 3]; my $href = { a => 1, b => 2 };
say "last: $aref->$#*, all: $aref->@*, slice: $aref->@[0,1]";
say join ',', map { "$_=$href->{$_}" } sort keys $href->%*;
my %sub = $href->%{'a'}; say join ',', %sub;
my %idx = %$aref[0, 2]; say join ',', map { "$_$idx{$_}" } sort keys %idx;
use feature 'try';
sub risky($n) { try { die "odd\n" if $n % 2; return 'even' } catch ($e) { chomp $e; return "caught $e" } }
say risky(1), ' ', risky(2);
use feature 'defer';
{ defer { say 'deferred' } say 'body' }
eval { greet() }; say $@ =~ s/ at .*//sr;
eval { my sub one($x) { $x } one(1, 2) }; say $@ =~ s/ at .*//sr;
say "chained" if 1 < 2 <= 2 < 3;
say 'isa' if bless([], 'Foo') isa Foo;
say "a" lt "b" ? 'lt' : 'ge';
my sub fact($n) { $n < 2 ? 1 : $n * __SUB__->($n - 1) }
say fact(10);
state @log = (1, 2); push @log, 3; say "@log";
say fc('HELLO') eq fc('hello') ? 'same' : 'differs';
say "unicode: \x{263a}" =~ /\x{263a}/ ? 'yes' : 'no';
say sprintf '%s', 0.1 + 0.2; say 1e15 + 0.3; say 1_000_000 * 1_000_000; say 2 ** 62, ' ', 2 ** 64, ' ', -7 / 2, ' ', -7 % 3, ' ', 7 % -3;
