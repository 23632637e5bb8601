use strict;
use warnings;

package Counter;    # a hash that counts reads and keeps insertion order
sub TIEHASH { my $c = shift; bless { data => {}, order => [], reads => 0 }, $c }

sub STORE {
    my ( $s, $k, $v ) = @_;
    push @{ $s->{order} }, $k unless exists $s->{data}{$k};
    $s->{data}{$k} = $v;
}
sub FETCH  { my ( $s, $k ) = @_; $s->{reads}++; $s->{data}{$k} }
sub EXISTS { exists $_[0]{data}{ $_[1] } }

sub DELETE {
    my ( $s, $k ) = @_;
    @{ $s->{order} } = grep { $_ ne $k } @{ $s->{order} };
    delete $s->{data}{$k};
}
sub CLEAR    { my $s     = shift; $s->{data} = {}; $s->{order} = [] }
sub FIRSTKEY { $_[0]{at} = 0;     $_[0]{order}[0] }
sub NEXTKEY  { $_[0]{order}[ ++$_[0]{at} ] }
sub SCALAR   { scalar @{ $_[0]{order} } }
sub UNTIE    { print "untied\n" }

package UpperScalar;
sub TIESCALAR { my ( $c, $v ) = @_; bless \$v, $c }
sub FETCH     { uc ${ $_[0] } }
sub STORE     { ${ $_[0] } = $_[1] }

package RevArray;
require Tie::Array;
our @ISA = 'Tie::StdArray';
sub FETCH { my ( $s, $i ) = @_; scalar reverse $s->[$i] // '' }

package Lines;
sub TIEHANDLE { my $c = shift; bless { n => 0, buf => [@_] }, $c }
sub PRINT     { my $s = shift; push @{ $s->{buf} }, join $, // '', @_; 1 }
sub PRINTF    { my $s = shift; my $f = shift; $s->PRINT( sprintf $f, @_ ) }
sub READLINE  { my $s = shift; wantarray ? splice @{ $s->{buf} } : shift @{ $s->{buf} } }

package main;
my $obj = tie my %h, 'Counter';
@h{qw(zebra apple mango)} = ( 1, 2, 3 );
print join( ' ', keys %h ), "\n";
$h{apple} += 10;
delete $h{zebra};
$h{kiwi} = 4;
while ( my ( $k, $v ) = each %h ) { print "$k=$v;" }
print "\n";
print "size: ", scalar(%h), "\n";
print exists $h{kiwi} ? 'yes' : 'no', ' ', exists $h{zebra} ? 'yes' : 'no', "\n";
undef $obj;
untie %h;
print "after: ", join( ',', %h ), "\n";
tie my $s, 'UpperScalar', 'hello';
print "$s ";
$s = 'bye';
print "$s\n";
tie my @a, 'RevArray';
push @a, 'abc', 'def';
print "@a $#a ", join( '|', map { $_ } @a[ 0, 1 ] ), "\n";
tie *FH, 'Lines', "first\n";
print FH 'second';
printf FH '%03d', 7;
my $l = <FH>;
print $l;
print join( '+', <FH> ), "\n";
print ref tied $s,       "\n";
