use strict;
use warnings;
my $text = <<'END';
It was the best of times, it was the worst of times, it was the age of wisdom,
it was the age of foolishness, it was the epoch of belief, it was the epoch of
incredulity -- don't forget: "it's" all one.
END
my %count;
my %first;
my $pos = 0;
while ( $text =~ /(\w+(?:'\w+)?)/g ) {
    my $w = lc $1;
    $count{$w}++;
    $first{$w} //= pos($text) - length $w;
}
my @top = ( sort { $count{$b} <=> $count{$a} or $a cmp $b } keys %count )[ 0 .. 9 ];
printf "%-12s %3d %s\n", $_, $count{$_}, '*' x $count{$_} for @top;
print "unique: ", scalar( keys %count ), ", once: ",
  scalar( grep { $count{$_} == 1 } keys %count ), "\n";
my %by_length;
push @{ $by_length{ length $_ } }, $_ for sort keys %count;
print "$_: @{ $by_length{$_} }\n" for sort { $a <=> $b } keys %by_length;
( my $vowels = $text ) =~ tr/aeiouAEIOU//cd;
print length $vowels, " vowels\n";
my $caps = join ' ', map { ucfirst lc } split ' ', ( split /\n/, $text )[1];
print "$caps\n";
print scalar reverse("hello"), " ", join( '', sort split //, 'perl' ), " ", ( $text =~ tr/t// ),
  " ", ( () = $text =~ /\bthe\b/g ), "\n";
print join( '|', "a,b,,c,," =~ /([^,]*)/g ), "\n", join( '|', split( /,/, 'a,b,,c,,' ) ), "\n",
  join( '|', split( /,/, 'a,b,,c,,', -1 ) ), "\n", join( '|', split( /(,)/, 'a,b' ) ), "\n",
  join( '|', split( '', 'abc' ) ), "\n", join( '|', split( ' ', '  lead and  trail ' ) ), "\n";
print ucfirst( lc 'HELLO' ), lcfirst('ABC'), "-" x 3, 'ab' . 'cd' x 2, "\n", index( 'hello', 'l' ),
  rindex( 'hello', 'l' ), index( 'hello', 'z' ), substr( 'hello', 1, 3 ), substr( 'hello', -3 ),
  "\n";
my $s = 'hello world';
substr( $s, 0, 5 ) = 'HOWDY';
substr( $s, -5, 5, 'there' );
print "$s\n";
my $r = \substr( $s, 0, 1 );
$$r = 'J';
print "$s\n";
print join( ',', unpack 'A3 x A3', 'foo bar' ), ' ',
  sprintf( '%s', join ',', map { ord } split //, 'AZ' ), ' ',
  chr(9731) eq "\x{2603}" ? 'snow' : '', ' ', lc 'ÀB', ' ', 'abc' x -1, '|', "\n";
print "z: ", join( ' ', map { my $x = 'az'; $x++ for 1 .. $_; $x } 1 .. 3 ), ' ',
  do { my $v = 'Zz'; $v++; $v }, ' ', do { my $v = 'a9'; $v++; $v }, ' ',
  do { my $v = 'zz9'; $v++; $v }, "\n";
print join( ' ', 'a' .. 'e', 'aa' .. 'ad', '08' .. '11' ), "\n", "@{[ map { $_ ** 2 } 1 .. 5 ]}",
  "\n", 'repeat ' x 2, "\n", join( ', ', map { "$_->[0]$_->[1]" } ( [ 'a', 1 ], [ 'b', 2 ] ) ),
  "\n";
print "abc" lt "abd" ? 'lt' : 'ge', " ", "10" <=> "9", " ", "10" cmp "9", " ", !!1, " [", !!0,
  "]\n", "ok\n" x !!1, lc( uc "straße" ), "\n",
  sprintf( "%s", join ' ', sort { lc $a cmp lc $b } qw(b A c B a C) ), "\n";
