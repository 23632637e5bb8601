use strict;
use warnings;
our ( $x, @list, %conf ) = ('global');
%conf = ( level => 1, name => 'c' );
sub show { "x=$x level=" . ( $conf{level} // 'none' ) . " $_" }
for ( 1 .. 2 ) { local $x = "local$_"; local $conf{level} = $_ * 10; print show(), "\n" }
{ local $_ = 'topic'; print show(), "\n"; delete local $conf{level}; print show(), "\n" }
print exists $conf{level} ? "back\n" : "gone\n";
{ local $, = '-'; local $\ = "!\n"; print 1, 2, 3; }
{ local $" = ':'; my @a = ( 1, 2, 3 ); print "@a\n" }
{ local $; = '|'; my %h; $h{ 1, 2 } = 1; print keys %h, "\n" }
{
    local $/ = undef;
    my $all = <DATA>;
    my @l   = split /\n/, $all;
    print scalar(@l), " lines, ", length $all, "\n";
    open my $in, '<', \$all or die;
    local $/ = '';
    my @paras = <$in>;
    print scalar(@paras), " paragraphs\n";
    close $in;
    open $in, '<', \$all;
    local $/ = \4;
    print join( '|', map { s/\n/\\n/gr } (<$in>)[ 0, 1 ] ), "\n";
    close $in;
    local $/ = 'e';
    open $in, '<', \$all;
    my $first = <$in>;
    chomp $first;
    print "$first\n"
}
{ local $|         = 1;            print "unbuffered $|\n" }
{ local $0         = 'renamed';    print "$0\n" }
{ local @ARGV      = ( 'a', 'b' ); print shift, "\n" }
{ local $SIG{ALRM} = 'IGNORE';     print $SIG{ALRM}, "\n" }
{ local $ENV{FOO}  = 'bar';        print "$ENV{FOO}\n" }
print defined $ENV{FOO} ? 'set' : 'unset', "\n";
{ local @list = ( 1, 2 ); push @list, 3; print "@list\n" }
print scalar(@list), "\n";
my @arr = ( 1 .. 5 );
{ local $arr[2] = 'x'; print "@arr\n" }
print "@arr\n";
my $str = "a1b2";
( my $copy = $str ) =~ s/\d/#/g;
print "$str $copy\n";
if ( "foo=bar" =~ /(\w+)=(\w+)/ ) { print "$1 $2 $& $` $' $+ @- @+\n" }
{
    if ( "zz" =~ /(z)/ ) { print "$1\n" }
}
print "$1\n";
my @sorted = do {
    no warnings;
    sort { $a <=> $b } qw(10 9 2 33 1);
};
print "@sorted[0..1] $#sorted $sorted[-1]\n";
my ( $first, @rest ) = @sorted;
print "$first|@rest\n";
my $count = () = "abcabc" =~ /b/g;
print "$count\n";
my ( $p, $q ) = ( 10, 20 );
( $p, $q ) = ( $q, $p );
print "$p $q\n";
my $last = ( 5, 6, 7 )[-1];
print "$last\n";
print "chained: ", ( 1 < 2 ) == ( 2 < 3 ) ? 'ok' : 'no', "\n", "unless\n" x !0;
my @e = ();
print "empty: '@e' $#e ", scalar(@e), "\n";
my %inv = reverse( a => 1, b => 2 );
print join( ',', map { "$_$inv{$_}" } sort keys %inv ), "\n";
my @u = do {
    my %s;
    grep { !$s{$_}++ } qw(a b a c b);
};
print "@u\n";
print "wantarray: ", ( sub { wantarray ? 'list' : defined wantarray ? 'scalar' : 'void' } )->(),
  ' ', scalar( ( sub { wantarray ? 'list' : 'scalar' } )->() ), "\n";
print __LINE__, ' ', __FILE__ =~ /main\.pl$/ ? 'main' : __FILE__, ' ', __PACKAGE__, "\n";
print "done\n";
__DATA__
one line
two line

three
four
