use strict;
use warnings;
my ( $n, @l, %h ) = ( 'World', 1, 2, 3 );
%h = ( k => 'v', 'a b' => [ 1, { x => 'deep' } ] );
my $o = bless { name => 'obj' }, 'Thing';
sub Thing::name { $_[0]{name} }
print <<A, <<'B', <<"C"; print "after\n";
Hello $n @l[0,1] $h{k} $h{'a b'}[1]{x} ${\ $o->name} @{[ map { $_ * 2 } @l ]} \$n \@l $l[-1] $#l
A
Raw $n @l \n
B
tab\there
C
print <<~EOT;
        indented $n
          more
        back
        EOT
print lc(<<X) . "joined\n";
SHOUT
X
my %c = ( text => <<T, other => 'x' );
inside hash
T
print $c{text}, $c{other}, "\n";
my @a = ( <<ONE, <<TWO);
first
ONE
second
TWO
print map { "[$_]" =~ s/\n//r } @a;
print "\n";
my $s = <<"E1" . <<E2 =~ s/b/B/r;
a
E1
b
E2
print $s;
sub f { return <<F }
from sub $_[0]
F
print f('x');
print <<`SHELL` if 0;
echo no
SHELL
print <<"" . "end\n";
until empty line

my $t = "email\@example.com costs \$5 and 50% \x41 \x{263a} \t| \101 \e[0m" =~ s/[^\x20-\x7e]/?/gr;
print "$t\n";
print "nested: @{[ join ', ', map { qq($_ = $h{$_}) } sort grep { !ref $h{$_} } keys %h ]}\n";
print 'single \'quoted\' \n', "\n", q{braces {nested} ok}, qq[ brackets [$n] ], q(a(b)c), "\n";
my @w = qw/a b c/;
print "@w[0..1] $w[$#w] @{[scalar @w]} time: ${\ scalar(@w)}\n";
print "method: @{[ $o->name ]} $o->{name} $$o{name}\n";
print "arr: $h{'a b'}->[0] $h{'a b'}[0] @{$h{'a b'}}[0]\n";
my $i = 1;
print "expr: $l[$i+1] $l[$i] $l[-$i]\n", "-$n-${n}s\n";
print "${n}s $n: $n\[0] $n\{x} @{[1+1]}\n";
print "\LLOWER\E \UUpper\E \uone \Qa.b\E\n";
print "v-string: ", sprintf( '%vd', v1.22.333 ), " ", 1_000, " ", 0xff, " ", 0b11, " ", 0o17 // '',
  "\n";
print __LINE__, "\n";
printf <<'P', 1, 'two';
%03d and %s
P
