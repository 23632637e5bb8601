use strict;
use warnings;

package Vec2;
use overload '+' => sub {
    Vec2->new(
        $_[0][0] + ( ref $_[1] ? $_[1][0] : $_[1] ),
        $_[0][1] + ( ref $_[1] ? $_[1][1] : $_[1] )
    );
  },
  '-' => sub {
    my ( $a, $b, $s ) = @_;
    $b = Vec2->new( $b, $b ) unless ref $b;
    ( $a, $b ) = ( $b, $a ) if $s;
    Vec2->new( $a->[0] - $b->[0], $a->[1] - $b->[1] );
  },
  '*' => sub {
    ref $_[1]
      ? $_[0][0] * $_[1][0] + $_[0][1] * $_[1][1]
      : Vec2->new( map { $_ * $_[1] } @{ $_[0] } );
  },
  'x'    => sub { "rep$_[1]" },
  '.'    => sub { my ( $a, $b, $s ) = @_; $s ? "$b" . $a->str : $a->str . "$b" },
  '""'   => 'str',
  '0+'   => sub { sqrt( $_[0] * $_[0] ) },
  'bool' => sub { $_[0][0] || $_[0][1] },
  '=='   => sub { $_[0][0] == $_[1][0] && $_[0][1] == $_[1][1] },
  'eq'   => sub { "$_[0]" eq "$_[1]" },
  '<=>'  =>
  sub { my ( $a, $b, $s ) = @_; my $r = $a * $a <=> ( ref $b ? $b * $b : $b**2 ); $s ? -$r : $r },
  'neg' => sub { $_[0] * -1 },
  '!'   => sub { !( $_[0][0] || $_[0][1] ) },
  'abs' => sub { 0 + $_[0] },
  '++'  => sub { $_[0][0]++;                               $_[0] },
  '--'  => sub { $_[0][0]--;                               $_[0] },
  '+='  => sub { $_[0][0] += ref $_[1] ? $_[1][0] : $_[1]; $_[0] },
  '='   => sub { Vec2->new( @{ $_[0] } ) },
  '@{}' => sub { $_[0] },
  '<>'  => sub { my $s = shift; $s->[0]-- > 0 ? $s->[0] : undef },
  '${}' => sub { \ "scalar" },
  '%{}' => sub { { x => 1 } },
  '&{}' => sub {
    my $s = shift;
    sub { "code(@_)" }
  },
  'qr'    => sub { qr/vec/ },
  '~'     => sub { 'tilde' },
  'atan2' => sub { 'at' },
  'cos'   => sub { 'cos' },
  'int'   => sub { 'int' },
  '**'    => sub { "pow$_[1]" . ( $_[2] ? 's' : '' ) },
  '%'     => sub { 'mod' },
  '/'  => sub { my ( $a, $b, $s ) = @_; $s ? "swapped" : Vec2->new( $a->[0] / $b, $a->[1] / $b ) },
  '<<' => sub { "shl$_[1]" },
  '&'  => sub { 'and' },
  '-X' => sub { "test$_[1]" };
sub new { my $c = shift; bless [@_], $c }
sub str { my $s = shift; no overloading; "($s->[0], $s->[1])" }

package main;
my ( $a, $b ) = ( Vec2->new( 1, 2 ), Vec2->new( 3, 4 ) );
print $a + $b, ' ', $a - $b, ' ', 10 - $a, ' ', $a * $b, ' ', $a * 3, ' ', 3 * $a, ' ', $a x 3,
  ' ', $a . 'z', ' ', 'z' . $a, ' ', -$a, ' ', abs $b, "\n";
print $a == Vec2->new( 1, 2 ) ? 'eq' : 'ne', ' ', $a < $b ? 'lt' : 'ge', ' ',
  100 > $b ? 'gt'   : 'le',      ' ', join( ',', sort { $b <=> $a } $a, $b ), ' ',
  !$a      ? 'zero' : 'nonzero', ' ', ( Vec2->new( 0, 0 ) ? 't' : 'f' ), "\n";
my $c = $a;
$c++;
print "$a $c ", ++$c, ' ', $c--, " $c\n";
$c += 5;
print "$c $a\n";
my $d = $b;
$d += $a;
print "$d $b\n";
my $it = Vec2->new( 3, 0 );
while ( defined( my $v = <$it> ) ) { print "it$v " }
print "\n";
print $$a, ' ', join( ',', keys %$a ), ' ', $a->( 'p', 'q' ), ' ',
  'a vec b' =~ $a ? 'match' : 'no', ' ', ~$a, ' ', atan2( $a, 1 ), ' ', cos $a, ' ', int $a, ' ',
  $a**2, ' ', 2**$a, ' ', $a % 3, ' ', $b / 2, ' ', 1 / $a, ' ', $a << 2, ' ', $a & 1, ' ', -e $a,
  "\n";
print sprintf( '%s %d %.2f', $b, $b, $b ), ' ', "@{[ $a ]}", ' ', length $a, ' ',
  overload::Overloaded($a)                              ? 1        : 0,    ' ',
  overload::StrVal($a) =~ /^Vec2=ARRAY\(0x[0-9a-f]+\)$/ ? 'strval' : 'no', ' ',
  ref overload::Method( $a, '+' ), "\n";

package Str;
use overload
  '""'     => sub { $_[0]{s} },
  'cmp'    => sub { my ( $a, $b, $s ) = @_; ( $s ? -1 : 1 ) * ( lc "$a" cmp lc "$b" ) },
  fallback => 1;
sub new { bless { s => $_[1] }, $_[0] }

package main;
my @s = map { Str->new($_) } qw(banana Apple cherry);
print join( ' ', sort { $a cmp $b } @s ), ' ', $s[0] eq 'BANANA' ? 'ci' : 'cs', ' ', $s[1] . '!',
  ' ', "x$s[2]" =~ /xcherry/ ? 1 : 0, ' ', uc $s[0], ' ', $s[0] lt $s[2] ? 'lt' : 'ge', "\n";

package NoFall;
use overload '+' => sub { 'plus' };

package main;
my $n = bless [], 'NoFall';
print $n + 1, ' ';
my $r = eval { no warnings; $n - 1 };
print defined $r ? 'defined' : $@ =~ /no method found/ ? "no method\n" : $@;

package Any;
use overload nomethod => sub { "nomethod($_[3])" };

package main;
my $any = bless {}, 'Any';
print $any + 1, ' ', $any x 2, ' ', $any lt 3, "\n";

package Cnt;
my $count = 0;
use overload 'bool' => sub { $count++; 1 }, fallback => 0;

package main;
my $o = bless [], 'Cnt';
if ( $o && $o || 0 ) { }
print "$count\n";

package Const;

sub import {
    overload::constant(
        integer => sub { my ( $s, $n ) = @_; "<$s>" },
        float   => sub { "f$_[0]" },
        q       => sub { my ( $src, $val, $mode ) = @_; $mode eq 'q' ? "[$val]" : $val }
    );
}

package main;
BEGIN { Const->import }
print 42, ' ', 1.5, ' ', 'q', ' ', "qq$count", "\n";
BEGIN { overload::remove_constant( integer => 0, float => 0, q => 0 ) }
print 42, 'q', "\n";
