use strict;
use warnings;
print unpack( 'H*', pack( 'NnCa4A4Z5', 1, 2, 3, 'ab', 'cd', 'ef' ) ), "\n",
  join( ',', unpack( 'NnCa4A4Z5', pack( 'NnCa4A4Z5', 1, 2, 3, 'ab', 'cd', 'ef' ) ) ) =~ s/\0/./gr,
  "\n";
print unpack( 'H*', pack( 'vVqQdf<s>l', 258, 16909060, -1, 2**40, 1.5, 2.25, -2, -3 ) ), "\n";
print join( ',', unpack( 'w/a C/a n/a*', pack( 'w/a C/a n/a*', 'abc', 'de', 'f' ) ) ),   "\n";
print unpack( '%32C*', 'checksum' ), ' ', unpack( '%8b*', "\xff\x01" ), ' ', unpack( 'b8', 'A' ),
  ' ', unpack( 'B8', 'A' ), ' ', ord( pack( 'B8', '01000010' ) ), ' ',
  pack( 'U', 9731 ) eq "\x{2603}" ? 1 : 0, ' ', unpack( 'h*', "\x12\x34" ), "\n";
my @r   = map { { name => $_->[0], size => $_->[1] } } [ 'a.txt', 10 ], [ 'b', 300 ];
my $bin = join '', map { pack 'A8 N', @$_{qw(name size)} } @r;
print length $bin, ': ', join( ';', map { join '=', unpack 'A8 N', $_ } unpack( '(a12)*', $bin ) ),
  "\n";
my $v = '';
vec( $v, 3, 4 ) = 15;
vec( $v, 0, 1 ) = 1;
print unpack( 'b*', $v ), ' ', length $v, ' ', vec( $v, 3, 4 ), "\n";
print 5 & 3, 5 | 3, 5 ^ 3, ~5 & 0xff, 1 << 4, 256 >> 2, ' ', "a" | "B", ' ', 'AB' ^ '  ', ' ',
  12 & 10, "\n";
print sprintf( '%032b', 0xdeadbeef ), ' ', sprintf( '%o', 511 ), ' ', oct('0b1010'), ' ',
  hex('DEAD'), "\n";

sub crc32 {
    my $c = 0xffffffff;
    for my $b ( unpack 'C*', shift ) {
        $c ^= $b;
        $c = $c & 1 ? ( $c >> 1 ) ^ 0xedb88320 : $c >> 1 for 1 .. 8;
    }
    return $c ^ 0xffffffff;
}
printf "%08x\n", crc32('The quick brown fox jumps over the lazy dog');
sub ip2n { unpack 'N', pack 'C4', split /\./, shift }
sub n2ip { join '.', unpack 'C4', pack 'N', shift }
print ip2n('192.168.1.10'), ' ', n2ip(3232235786), ' ', n2ip( ip2n('10.1.2.3') & 0xffffff00 ), "\n";
my @bits = grep { 0b10110 & ( 1 << $_ ) } 0 .. 7;
print "@bits\n";
print join( ' ', map { sprintf '%02x', $_ } unpack 'C*', pack 'U0U*', 233, 9731 ), "\n";
print join(
    ',',
    map {
        my $x = $_;
        join '', map { $x & ( 1 << $_ ) ? 1 : 0 } reverse 0 .. 3
    } 0 .. 5
  ),
  "\n";
my $gray = join ' ', map { sprintf '%03b', $_ ^ ( $_ >> 1 ) } 0 .. 7;
print "$gray\n";
print unpack( 'A*', "trail  \n\0" ), '|', unpack( 'x3 X2 a2', 'abcdef' ), '|',
  join( ',', unpack '(A2)*', 'aabbc' ), '|', scalar( unpack 'N', "\0\0\1\0" ), "\n";
print pack( 'A3 n', 'abcd', 66 ) eq "abc\0B" ? 'eq' : 'ne', ' ', length( pack 'x5' ), ' ',
  join( ',', unpack( 's< s> l< L>', pack( 's< s> l< L>', -1, 1, -2, 2 ) ) ), "\n";
print join( ',', map { sprintf '%.2f', $_ } unpack 'd< f>', pack 'd< f>', 3.14159, 2.71828 ), "\n";
use bytes ();
print bytes::length("\x{2603}"), ' ', length("\x{2603}"), "\n";
use MIME::Base64;
use Digest::MD5 'md5_hex';
use Digest::SHA qw(sha1_hex sha256_hex);
print encode_base64( 'hello, world', '' ), ' ', decode_base64('aGk='), ' ', md5_hex(''), ' ',
  sha1_hex('abc'), ' ', substr( sha256_hex('abc'), 0, 16 ), "\n";
