use strict;
use warnings;
use Scalar::Util qw(weaken);

package Node {
    sub new     { my ( $c, $v ) = @_; bless { value => $v, next => undef, prev => undef }, $c }
    sub DESTROY { $main::freed++ }
}

package List {
    sub new { bless { head => undef, tail => undef, size => 0 }, shift }

    sub push {
        my ( $s, $v ) = @_;
        my $n = Node->new($v);
        if ( $s->{tail} ) {
            $s->{tail}{next} = $n;
            $n->{prev} = $s->{tail};
            Scalar::Util::weaken( $n->{prev} );
        }
        else { $s->{head} = $n }
        $s->{tail} = $n;
        $s->{size}++;
        $s;
    }

    sub iter {
        my $s = shift;
        my $n = $s->{head};
        sub { my $r = $n or return; $n = $n->{next}; $r->{value} }
    }

    sub reverse {
        my $s = shift;
        my $r = List->new;
        my $n = $s->{tail};
        while ($n) { $r->push( $n->{value} ); $n = $n->{prev} }
        $r;
    }

    sub map {
        my ( $s, $f ) = @_;
        my $r = List->new;
        my $i = $s->iter;
        while ( defined( local $_ = $i->() ) ) { $r->push( $f->($_) ) }
        $r;
    }

    sub str {
        my $i = shift->iter;
        my @v;
        while ( defined( my $v = $i->() ) ) { push @v, $v }
        '[' . join( ' -> ', @v ) . ']';
    }
}
our $freed = 0;
{
    my $l = List->new;
    $l->push($_) for 1 .. 5;
    print $l->str, ' ', $l->reverse->str, ' ', $l->map( sub { $_**2 } )->str, " $l->{size}\n";
}
print "freed $freed\n";

package Heap {

    sub new {
        my ( $c, $cmp ) = @_;
        bless { a => [], cmp => $cmp || sub { $_[0] <=> $_[1] } }, $c;
    }

    sub push {
        my ( $s, @v ) = @_;
        for my $v (@v) {
            my $a = $s->{a};
            push @$a, $v;
            my $i = $#$a;
            while ($i) {
                my $p = ( $i - 1 ) >> 1;
                last if $s->{cmp}->( $a->[$p], $a->[$i] ) <= 0;
                @$a[ $i, $p ] = @$a[ $p, $i ];
                $i = $p;
            }
        }
        $s;
    }

    sub pop {
        my $s = shift;
        my $a = $s->{a};
        return unless @$a;
        my $top  = $a->[0];
        my $last = pop @$a;
        if (@$a) {
            $a->[0] = $last;
            my $i = 0;
            while (1) {
                my ( $l, $r ) = ( 2 * $i + 1, 2 * $i + 2 );
                my $m = $i;
                $m = $l if $l < @$a && $s->{cmp}->( $a->[$l], $a->[$m] ) < 0;
                $m = $r if $r < @$a && $s->{cmp}->( $a->[$r], $a->[$m] ) < 0;
                last if $m == $i;
                @$a[ $i, $m ] = @$a[ $m, $i ];
                $i = $m;
            }
        }
        $top;
    }
}
my $h = Heap->new;
$h->push( 5, 3, 8, 1, 9, 2 );
my @out;
while ( defined( my $x = $h->pop ) ) { push @out, $x }
print "@out\n";
my %graph = (
    A => { B => 4, C => 2 },
    B => { D => 5 },
    C => { B => 1, D => 8, E => 10 },
    D => { E => 2 },
    E => {}
);

sub dijkstra {
    my ( $g, $from ) = @_;
    my %d = ( $from => 0 );
    my %prev;
    my $q = Heap->new( sub { $_[0][0] <=> $_[1][0] } );
    $q->push( [ 0, $from ] );
    while ( my $e = $q->pop ) {
        my ( $c, $n ) = @$e;
        next if $c > $d{$n};
        for my $m ( sort keys %{ $g->{$n} } ) {
            my $nc = $c + $g->{$n}{$m};
            if ( !defined $d{$m} || $nc < $d{$m} ) {
                $d{$m}    = $nc;
                $prev{$m} = $n;
                $q->push( [ $nc, $m ] );
            }
        }
    }
    return ( \%d, \%prev );
}
my ( $d, $prev ) = dijkstra( \%graph, 'A' );
for my $n ( sort keys %$d ) {
    my @path = ($n);
    unshift @path, $prev->{ $path[0] } while exists $prev->{ $path[0] };
    printf "%s %2d %s\n", $n, $d->{$n}, join '>', @path;
}

sub topo {
    my %deps = @_;
    my ( %seen, @order );
    my $visit;
    $visit = sub {
        my ( $n, @stack ) = @_;
        die "cycle: @stack $n\n" if grep { $_ eq $n } @stack;
        return                   if $seen{$n}++;
        $visit->( $_, @stack, $n ) for @{ $deps{$n} || [] };
        push @order, $n;
    };
    $visit->($_) for sort keys %deps;
    return @order;
}
print join( ' ', topo( app => [ 'lib', 'log' ], lib => ['core'], log => ['core'], core => [] ) ),
  "\n";
eval { topo( a => ['b'], b => ['a'] ); 1 } or print "error: $@";
sub trie_insert { my ( $t, $w ) = @_; $t = $t->{$_} //= {} for split //, $w; $t->{''} = 1 }

sub trie_words {
    my ( $t, $p ) = @_;
    map { $_ eq '' ? $p : trie_words( $t->{$_}, $p . $_ ) } sort keys %$t;
}
my $trie = {};
trie_insert( $trie, $_ ) for qw(car cart care dog do);
print join( ',', trie_words( $trie, '' ) ), ' ',
  join( ',', trie_words( $trie->{c}{a}{r}, 'car' ) ), "\n";

sub lcs {
    my ( $x, $y ) = @_;
    my @m = map { [ (0) x ( 1 + length $y ) ] } 0 .. length $x;
    for my $i ( 1 .. length $x ) {
        for my $j ( 1 .. length $y ) {
            $m[$i][$j] =
                substr( $x, $i - 1, 1 ) eq substr( $y, $j - 1, 1 ) ? $m[ $i - 1 ][ $j - 1 ] + 1
              : $m[ $i - 1 ][$j] > $m[$i][ $j - 1 ]                ? $m[ $i - 1 ][$j]
              :                                                      $m[$i][ $j - 1 ];
        }
    }
    my ( $i, $j, $r ) = ( length $x, length $y, '' );
    while ( $i && $j ) {
        if ( substr( $x, $i - 1, 1 ) eq substr( $y, $j - 1, 1 ) ) {
            $r = substr( $x, $i - 1, 1 ) . $r;
            $i--;
            $j--;
        }
        elsif ( $m[ $i - 1 ][$j] >= $m[$i][ $j - 1 ] ) { $i-- }
        else                                           { $j-- }
    }
    $r;
}
print lcs( 'AGGTAB', 'GXTXAYB' ), ' ', lcs( 'programming', 'gaming' ), "\n";
my @board = map { [ (' ') x 3 ] } 1 .. 3;
$board[ $_->[0] ][ $_->[1] ] = $_->[2] for [ 0, 0, 'X' ], [ 1, 1, 'O' ], [ 2, 2, 'X' ];
print join( "\n-+-+-\n", map { join '|', @$_ } @board ), "\n";

sub hanoi {
    my ( $n, $f, $t, $v, $c ) = @_;
    return 0 unless $n;
    hanoi( $n - 1, $f, $v, $t ) + 1 + hanoi( $n - 1, $v, $t, $f );
}
print hanoi( 10, 'A', 'C', 'B' ), "\n";

sub collatz {
    my $n = shift;
    my $s = 0;
    while ( $n != 1 ) { $n = $n % 2 ? 3 * $n + 1 : $n / 2; $s++ }
    $s;
}
my ( $best, $steps ) = ( 0, 0 );
for ( 1 .. 1000 ) { my $s = collatz($_); ( $best, $steps ) = ( $_, $s ) if $s > $steps }
print "$best $steps\n";

sub flatten {
    map { ref ? flatten(@$_) : $_ } @_;
}
print join( ',', flatten( 1, [ 2, [ 3, [ 4, [5] ] ] ] ) ), "\n";
sub gcd { my ( $a, $b ) = @_; $b ? gcd( $b, $a % $b ) : $a }
print gcd( 1071, 462 ), "\n";
my @primes = grep {
    my $n = $_;
    !grep { $n % $_ == 0 } 2 .. sqrt $n
} 2 .. 50;
print "@primes\n";

sub to_base {
    my ( $n, $b ) = @_;
    my $r = '';
    do { $r = ( 0 .. 9, 'a' .. 'z' )[ $n % $b ] . $r; $n = int $n / $b } while $n;
    $r;
}
print join( ' ', map { to_base( 255, $_ ) } 2, 8, 16, 36 ), "\n";
my @pascal = [1];
push @pascal,
  [ 1, ( map { $pascal[-1][$_] + $pascal[-1][ $_ + 1 ] } 0 .. $#{ $pascal[-1] } - 1 ), 1 ]
  for 1 .. 5;
print join( ' | ', map { "@$_" } @pascal ), "\n";
my %roman = (
    M  => 1000,
    CM => 900,
    D  => 500,
    CD => 400,
    C  => 100,
    XC => 90,
    L  => 50,
    XL => 40,
    X  => 10,
    IX => 9,
    V  => 5,
    IV => 4,
    I  => 1
);

sub roman {
    my $n = shift;
    my $r = '';
    for ( sort { $roman{$b} <=> $roman{$a} } keys %roman ) {
        $r .= $_ x int( $n / $roman{$_} );
        $n %= $roman{$_};
    }
    $r;
}
print roman(1994), ' ', roman(2024), "\n";
