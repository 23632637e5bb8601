use strict;
use warnings;
our ( $name, $price, $qty, $desc );
format STDOUT_TOP =
Name       Price   Qty  Description
---------- ------- ---- --------------------
.
format STDOUT =
@<<<<<<<<< @##.## @>>>> ^<<<<<<<<<<<<<<<<<<<
$name,     $price, $qty, $desc
~~                      ^<<<<<<<<<<<<<<<<<<<
                        $desc
.
for (
    [ 'Widget',               9.99,    3, 'A small widget used for demonstrating formats in Perl' ],
    [ 'Gizmo deluxe edition', 123.456, 12,   'Short' ],
    [ 'Thing',                -1.5,    1000, '' ]
  )
{
    ( $name, $price, $qty, $desc ) = @$_;
    write;
}
print "page $% lines left $- of $=\n";
format SUMMARY =
@|||||||||||||||||||||||||||||||||||
$name
@*
$desc
@#### @0### @.## @##.##@##
$qty, $qty, $price, $price, $qty
.
$~ = 'SUMMARY';
( $name, $price, $qty, $desc ) = ( 'centered', .5, 42, "multi\nline" );
write;
use Carp;
sub swrite { my $f = shift; $^A = ''; formline( $f, @_ ); my $r = $^A; $^A = ''; $r }
print swrite( "@<<< @>>> @||||\n", 'ab', 'cd', 'ef' ), swrite( "@<<\n@>>\n", 1, 2 );
my @lines = ( 'one', 'two' );
print swrite( "@* @*\n", @lines );
open my $fh, '>', 'rep' or die;
{
    format REP =
[@>>>>>] [@<<<<<]
$name, $qty
.
}
my $old = select $fh;
$~ = 'REP';
select $old;
( $name, $qty ) = ( 'r', 7 );
{ local $^W; write $fh; }
close $fh;
open $fh, '<', 'rep';
print <$fh>;
close $fh;
my $long = 'the quick brown fox jumps over the lazy dog';

while ( length $long ) {
    my $l = swrite( "^<<<<<<<<<~~\n", $long );
    print $l;
    last if $l !~ /\S/;
    $long = '';
}
