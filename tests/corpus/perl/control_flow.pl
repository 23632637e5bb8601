use strict;
use warnings;
no warnings qw(exiting once);
OUTER: for my $i ( 1 .. 5 ) {
    for my $j ( 1 .. 5 ) { next OUTER if $j == 3; last OUTER if $i == 3; print "$i$j " }
}
print "\n";
my $n = 0;
{ $n++; redo if $n < 3; }
print "$n\n";
my $k = 5;
do { print $k--, ' ' } while ( $k > 2 );
print "\n";
do { print $k++, ' ' } until $k >= 4;
print "\n";
my @stack = 1 .. 5;
while ( my $x = shift @stack ) { next if $x == 2; last if $x == 4; print "x$x " }
continue { print "c " }
print "\n";
until ( $n <= 0 ) { $n-- }
print "$n\n";
for ( my ( $i, $j ) = ( 0, 10 ) ; $i < $j ; $i += 3, $j -= 2 ) { print "$i/$j " }
print "\n";
print "post $_ " for grep { $_ & 1 } 1 .. 5;
print "\n";
my @a = ( 1, 2, 3 );
$_ *= 2 for @a;
print "@a\n";
for my $e (@a) { $e++ }
print "@a\n";
my %h = map { $_ => 1 } qw(a b);
$_++ for values %h;
print join( ',', map { "$_$h{$_}" } sort keys %h ), "\n";
unless (0) { print "unless " }
else       { print "else " }
if    (0) { }
elsif (1) { print "elsif\n" }
my $t = 5;
my $r = $t < 3 ? 'low' : $t < 6 ? 'mid' : 'high';
print "$r\n";
my ( $p, $q ) = ( 0, '' );
$p ||= 7;
$q //= 8;
my $u;
$u //= 9;
$p &&= 3;
print "$p [$q] $u\n";
print "and\n" if 1 and not 0;
my $v = 0 || 'or';
my $w = 0 // 'dor';
print "$v $w ", ( 1 xor 1 ) ? 'x' : 'nx', "\n";
my @l = ( 3, 1, 2 )[ 1, 2 ];
print "@l\n";
my ( $first, undef, $third ) = ( 1, 2, 3 );
print "$first$third\n";
my $cnt    = () = ( 1, 2, 3 );
my ($only) = ( 7, 8 );
print "$cnt $only\n";
my $str = join ',', map {
    my $x = $_;
    map { "$x$_" } 'a' .. 'b'
} 1 .. 2;
print "$str\n";

sub early {
    for ( 1 .. 10 ) { return $_ if $_ > 3 }
    'none';
}
print early(), "\n";
sub ctx { return wantarray }
my @c = ctx();
my $c = ctx();
print $c[0] ? 'list' : 'x', $c ? 'x' : 'scalar', "\n";
my $res = eval {
    for ( 1 .. 3 ) { die "at $_\n" if $_ == 2 }
    1;
};
print $@;
my $s = sub { goto &early };
print $s->(), "\n";
my $i = 0;
LOOP: { last LOOP if $i++ > 2; redo LOOP }
print "$i\n";
my @sorted = sort { $a->{n} <=> $b->{n} || $a->{s} cmp $b->{s} }
  ( { n => 2, s => 'b' }, { n => 1, s => 'z' }, { n => 2, s => 'a' } );
print join( ' ', map { "$_->{n}$_->{s}" } @sorted ), "\n";
print join( ',', reverse sort { $a <=> $b } 10, 9, 100 ), ' ', join( ',', sort qw(b A c) ), ' ',
  scalar reverse('abc'), "\n";
my $sub = \&{"early"} if 0;
my $by  = sub { $b cmp $a };
print join( '', sort $by qw(a c b) ), "\n";
sub bylen { length $a <=> length $b }
print join( ' ', sort bylen qw(ccc a bb) ), "\n";
while ( my ( $idx, $val ) = each @a ) { print "$idx=$val;" }
print "\n";
my @copy = splice @a, -2, 1;
print "@copy|@a\n";
splice @a, 1, 0, 'x', 'y';
print "@a\n";
print "chop/chomp: ", do { my $z = "hi\n"; chomp $z; chop $z; $z }, "\n";
print "last expr: ", do { 1; 2; 3 }, ' ', ( sub { my @x = ( 4, 5, 6 ); @x } )->() + 0, "\n";
my ( $x, $y, @z ) = (1) x 4;
print "$x$y@z\n";
{ local $_ = 'abc'; my $len = length; print "$len ", uc, ' ', ord, "\n" }
print "ok\n" if "abc" =~ /b/ && $& eq 'b';
print "stringy: ", 1 . 1, ' ', '3' * '4', ' ', '2' . 3 * 4, ' ', "10" + "20", ' ', "3 " + 4, ' ',
  7 <=> 10, ' ', '7' cmp '10', ' ', !!1, ' ', !1 eq '' ? 'empty' : 'x', ' ', defined(undef) + 0,
  "\n";
my @nested = ( [ 1, [ 2, 3 ] ], [4] );
print $nested[0][1][0], scalar @{ $nested[0] }, $#{ $nested[0][1] }, "\n";
my %hh;
$hh{a}{b}{c} = 1;
print exists $hh{x}{y} ? 1 : 0, exists $hh{x} ? ' autoviv' : '', ' ', join( ',', sort keys %hh ),
  "\n";
push @{ $hh{list} }, 1, 2;
print "@{ $hh{list} }\n";
my @u = ( 1, undef, 3 );
print join( ',', map { $_ // 'undef' } @u ), ' ', scalar( grep { defined } @u ), "\n";
printf "%s %s %s\n", 'a' x 3, '-' x 0, join ',', ( 'a', 'b' ) x 2;
print "exit\n";
my $line = __LINE__;
print "line ok\n" if $line > 1;
my $code = 'print "evaled\n"; 42';
print eval($code), "\n";
print "$0\n" =~ /main/ ? "name\n" : "other\n";
for my $i ( reverse 0 .. 2 ) { print $i }
print "\n";
my $total = 0;
$total += $_ foreach 1 .. 100;
print "$total\n";
print "a" .. "e", "\n";
my @chars = ( 'a' .. 'e' )[ 1 .. 3 ];
print "@chars[0, -1]\n";
print "nested ternary: ",
  join( ' ', map { $_ % 15 ? $_ % 5 ? $_ % 3 ? $_ : 'Fizz' : 'Buzz' : 'FizzBuzz' } 1 .. 15 ), "\n";
