use strict;
use warnings;
my $balanced = qr/(\((?:[^()]++|(?1))*\))/;
print "$1\n" if 'f(a(b)c)(d)' =~ $balanced;
my @m = 'k1=v1; k2="v 2"; k3' =~ /(\w+)(?:=("[^"]*"|\w+))?/g;
print join( '|', map { $_ // 'undef' } @m ), "\n";
if ( '2024-02-29T12:30' =~ /^(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)(?:T(?<t>[\d:]+))?/ ) {
    print join( ',', map { "$_=$+{$_}" } sort keys %+ ), "\n";
    print "$-[0] $+[0] $-[2]\n";
}
( my $t = 'The quick brown fox' ) =~ s/(\w+)/\u\L$1/g;
print "$t\n";
$t =~ s/(?<=q)u/U/;
print "$t\n";
print 'price: 1234567.891' =~ s/(?<=\d)(?=(?:\d{3})+(?!\d)(?<!\.\d{0,9}))/,/gr, "\n" if 0;
my $n = 1234567;
1 while $n =~ s/^(\d+)(\d{3})/$1,$2/;
print "$n\n";
print join( '|', 'aXbXc' =~ /[^X]+/g ), ' ', 'foobar' =~ /foo(?!baz)/ ? 'y' : 'n', ' ',
  'x=1,y=2' =~ s/(\w)=(\d)/$2=$1/gr, "\n";
my $e = 'a1b2';
$e =~ s/(\d)/$1 * 2/ge;
print "$e\n";
my $expr = '1+2';
( my $ee = 'sum: EXPR' ) =~ s/EXPR/$expr/ee;
print "$ee\n";
my $str = 'aaa';
my $c   = () = $str =~ /a/g;
print "$c\n";
$_ = 'x1y22';
my %h = /([a-z])(\d+)/g;
print join( ',', map { "$_$h{$_}" } sort keys %h ), "\n";
my $text = "line1\nline2\nline3";
my @l    = $text =~ /^(\w+)$/mg;
print scalar(@l), "\n";
print $text =~ /\Aline1$/ ? 'y' : 'n', $text =~ /line1.line2/ ? 'y' : 'n',
  $text =~ /line1.line2/s ? 'y' : 'n', "\n";
$text =~ /line(?<num>\d)/g;
print pos $text, "\n";
$text =~ /\G\n/gc and print "newline\n";
pos($text) = 0;
my @t;
while ( $text =~ /\G(?:(\d)|(\D))/gc ) { push @t, defined $1 ? "<$1>" : $2 }
print join( '', @t ) =~ s/\n/~/gr, "\n";
print join( '|', split /\s*[,;]\s*/, 'a , b;c ,d' ), "\n", join( '|', split /(?<=,)/, 'a,b,c' ),
  "\n", join( '|', split //, 'abc', 2 ), "\n";
my $re  = qr/(\d+)/i;
my @all = map { /$re/ ? $1 : () } qw(a1 b c33);
print "@all $re\n";
my $comp = qr/ (\w+) \s+ # word
 \1 /x;
print 'hello hello'  =~ $comp ? "dup $1\n" : "none\n";
( my $tr = 'Hello' ) =~ tr/a-zA-Z/n-za-mN-ZA-M/;
print "$tr ", ( $tr =~ tr/a-z// ), ' ', 'hello' =~ tr/a-y/b-z/r, ' ', ( 'aabbcc' =~ tr/a-c//sr ),
  ' ', ( 'a.b.c' =~ tr/.//dr ), "\n";
print join(
    ',',
    map {
        sprintf '%s:%s', $_,
          /^(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/
          ? 'ok'
          : 'bad'
    } qw(1.2.3.4 256.1.1.1 10.0.0)
  ),
  "\n";
print "nongreedy: ", '<b>x</b><b>y</b>' =~ /<b>(.*?)<\/b>/ ? $1 : '', ' ',
  '<b>x</b><b>y</b>' =~ /<b>(.*)<\/b>/ ? $1 : '', "\n";
print 'foo.bar' =~ /^\Qfoo.bar\E$/ ? 'quoted' : '', ' ', quotemeta('a.b*c'), "\n";
my @parts = 'aAbB' =~ /((?i)a)(b)?/;
print scalar(@parts), defined $parts[1] ? 1 : 0, "\n";
'abcd' =~ /(?<first>a)(?:b)(?<rest>.*)/;
print "$+{first} $+{rest} $+\n";
my $cond = join ',', map { /^(\()?\w+(?(1)\))$/ ? 1 : 0 } '(a)', 'a', '(a', 'a)';
print "$cond\n";
my $cnt = 0;
'aaaa' =~ /a(?{ $cnt++ })*$/;
print $cnt > 0 ? "code\n" : '';
print join( '|', "a\tb  c" =~ /\S+/g ), ' ', "caf\x{e9}" =~ /^\w+$/u ? 'u' : 'n', ' ',
  "\x{3b1}\x{3b2}" =~ /^\p{Greek}+$/ ? 'greek' : '', ' ', 'A1' =~ /^\p{Lu}\p{Nd}$/ ? 'prop' : '',
  ' ', 'x' =~ /^[[:alpha:]]$/ ? 'posix' : '', "\n";
my %map  = ( a => 1, b => 2 );
my $keys = join '|', map quotemeta, sort keys %map;
print 'b a c' =~ s/\b($keys)\b/$map{$1}/gr, "\n";
print "branch reset: ",
  join( ',', map { 'x1 y2' =~ /$_/ ? $1 : '' } qr/(?|x(\d)|y(\d))/, qr/(?|z(\d)|y(\d))/ ), "\n";
print "recursion: ", ( join ',', grep { /^((.)(?1)\2|.?)$/ } qw(racecar abba abc noon) ), "\n";
my $r2 = 'aaa' =~ s/a/b/r;
print "$r2 ", scalar( 'abcabc' =~ s/b/X/gr ), ' ', ( $_ = 'zz' ) =~ s/z/y/g, "\n";
print "last: $^N $^R\n" if 'ab' =~ /(a)(b)(?{ 7 })/;
print "possessive ", 'aaab' =~ /a++b/ ? 1 : 0, 'aaa' =~ /a++a/ ? 1 : 0, ' keep ',
  'foobar' =~ s/foo\Kbar/X/r, ' ', join( '|', 'a1b22' =~ /(?<l>[a-z])(?<n>\d+)/g ), "\n";
while ( 'k=v;k2=v2' =~ /(?<key>\w+)=(?<val>\w+)/g ) { print "$+{key}->$+{val} " }
print "\n";
print join( ' ', "2+3=5" =~ /(\d)\+(\d)=(\d)/ ), ' ', scalar( my @x = 'abc' =~ /./g ), "\n";
{
    no warnings;
    my $open = '(';
    my $bad = eval { 'x' =~ /$open/ };
}
print eval { my $p = '('; 'x' =~ /$p/; 1 } ? '' : $@ =~ s/ at \S+ line.*//sr, "\n";
