use v5.36;

sub counter ( $start = 0, $step = 1 ) {
    my $n = $start - $step;
    return {
        next  => sub { $n += $step },
        reset => sub { $n = $start - $step },
        peek  => sub { $n + $step }
    };
}
my ( $first, $second ) = ( counter( 10, 5 ), counter() );
$first->{next}->() for 1 .. 2;
$second->{next}->();
say $first->{next}->(), ' ', $second->{next}->(), ' ', $first->{peek}->();
$first->{reset}->();
say $first->{next}->();

sub take ( $n, $it ) {
    my @r;
    while ( $n-- > 0 ) { my $v = $it->(); last unless defined $v; push @r, $v }
    @r;
}

sub fib {
    my ( $x, $y ) = ( 0, 1 );
    sub { my $r = $x; ( $x, $y ) = ( $y, $x + $y ); $r }
}

sub imap ( $f, $it ) {
    sub { local $_ = $it->() // return undef; $f->($_) }
}

sub igrep ( $f, $it ) {
    sub {
        while ( defined( local $_ = $it->() ) ) { return $_ if $f->($_) }
        undef;
    }
}
say join ',', take( 5, imap( sub { $_ * 2 }, igrep( sub { $_ % 2 }, fib() ) ) );

sub permute ( $done, $rest, $cb ) {
    return $cb->(@$done) unless @$rest;
    for my $i ( 0 .. $#$rest ) {
        my @r   = @$rest;
        my ($x) = splice @r, $i, 1;
        permute( [ @$done, $x ], \@r, $cb );
    }
}
my @p;
permute( [], [ 1 .. 3 ], sub { push @p, join '', @_ } );
say "@p";

sub combos ( $k, @s ) {
    return [] if $k == 0;
    return () if @s < $k;
    my ( $h, @t ) = @s;
    ( ( map { [ $h, @$_ ] } combos( $k - 1, @t ) ), combos( $k, @t ) );
}
say join ' ', map { join '', @$_ } combos( 2, qw(a b c d) );
my @queue = map {
    my $n = $_;
    sub { "job$n" }
} 1 .. 3;
say join ',', map { $_->() } @queue;
my $compose = sub {
    my @f = reverse @_;
    sub { my @a = @_; @a = $_->(@a) for @f; wantarray ? @a : $a[0] }
};
say $compose->( sub { $_[0] + 1 }, sub { $_[0] * 10 } )->(5);
my $fact;
$fact = sub ($n) { $n < 2 ? 1 : $n * $fact->( $n - 1 ) };
say $fact->(20);
use feature 'current_sub';
say sub ($n) { $n < 2 ? $n : __SUB__->( $n - 1 ) + __SUB__->( $n - 2 ) }
  ->(15);

sub curry ( $f, @a ) {
    sub (@b) { $f->( @a, @b ) }
}
say curry( sub { join '-', @_ }, 1, 2 )->(3);
my %memo;

sub ack ( $m, $n ) {
    $memo{"$m,$n"} //=
      $m == 0 ? $n + 1 : $n == 0 ? ack( $m - 1, 1 ) : ack( $m - 1, ack( $m, $n - 1 ) );
}
{ no warnings 'recursion'; say ack( 2, 3 ) }
no warnings "experimental::for_list";
for my ( $k, $v ) ( %{ { one => 1 } } ){ say "$k=$v" } my @sorted =
  map  { $_->[1] }
  sort { $a->[0] <=> $b->[0] or $a->[1] cmp $b->[1] }
  map  { [ length, $_ ] } qw(pear fig apple kiwi);
say "@sorted";
my ( $min, $max ) = ( sort { $a <=> $b } 5, 3, 9 )[ 0, -1 ];
say "$min $max";
state $s = 5;
say $s;
my sub private ($x) { $x**2 }
say private(7);
say join ',', map { my ( $x, $y ) = @$_; $x * $y } ( [ 1, 2 ], [ 3, 4 ] );

sub each_pair : prototype(&@) {
    my $cb = shift;
    while ( my ( $x, $y ) = splice @_, 0, 2 ) { $cb->( $x, $y ) }
}
each_pair { print "$_[0]$_[1];" } a => 1, b => 2;
print "\n";

sub named (%o) {
    join ',', map { "$_=$o{$_}" } sort keys %o;
}
say named( x => 1, y => 2 );
eval { counter( 1, 2, 3 ) };
print $@ =~ s/ at .*//sr, "\n";
eval { private() };
print $@ =~ s/ at .*//sr, "\n";
sub opt ( $x, $y = $x * 2, @r ) { "$x $y @r" }
say opt(1);
say opt( 1, 2, 3, 4 );
my @stack = ( 1 .. 5 );
say pop @stack, shift @stack, scalar @stack;
push @stack, 6;
unshift @stack, 0;
say "@stack[1..3] ", join ',', splice( @stack, 1, 2, 'x', 'y' );
say "@stack";
say join ',', (1) x 3, ( 'a', 'b' ) x 2;
say "exists" if exists $stack[2];
say join ',', grep { defined } ( undef, 1, undef, 2 );
my @aoa = ( [ 1, 2 ], [ 3, 4 ] );
say join ';', map { join ',', @$_ } map {
    my $c = $_;
    [ map { $_->[$c] } @aoa ]
} 0 .. 1;
say "lc" x !!( $aoa[0] == $aoa[0] );
say scalar( my @e = () );
say "last: $#{$aoa[0]} $aoa[1]->@* $aoa[-1][-1]";
my %slice = ( a => 1, b => 2, c => 3 );
my %sub   = %slice{qw(a b)};
say join ',', map { "$_$sub{$_}" } sort keys %sub;
delete @slice{qw(a b)};
say keys %slice;
my ( $x, $y, @z ) = ( 1 .. 5 );
say "$x $y @z";
