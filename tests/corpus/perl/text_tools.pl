use strict;
use warnings;
use Text::Wrap qw(wrap fill $columns);
use Text::ParseWords;
use Text::Abbrev;
use Text::Tabs;
use Text::Balanced qw(extract_bracketed extract_quotelike extract_delimited);
use Term::ANSIColor;
use Getopt::Long qw(GetOptionsFromArray);
use Time::HiRes  qw(time sleep);
use Unicode::Normalize;
use Encode     qw(encode decode is_utf8);
use Storable   qw(dclone freeze thaw);
use Hash::Util qw(lock_keys unlock_keys lock_hash);
use Tie::File;
use Env       qw(HOME @PATH);
use English   qw(-no_match_vars);
use Benchmark qw(timeit timestr);
use Math::BigInt;
use Math::BigFloat;
use Math::Complex;
use Math::Trig;
use Memoize;
use constant { DEBUG => 0, LIST => [ 1, 2, 3 ] };
use integer;
print 7 / 2, ' ', -7 / 2, ' ', -7 % 3, "\n";
no integer;
$columns = 30;
print wrap(
    '* ', '  ', 'The quick brown fox jumps over the lazy dog and runs away from the angry bear'
  ),
  "\n";
print join( '|', shellwords(q{cmd "two words" it\'s 'x y' z\ z}) ), "\n",
  join( '|', quotewords( ',', 0, q{a,"b,c",d} ) ), "\n";
my %a = abbrev qw(list load quit);
print join( ',', sort keys %a ), "\n";
print expand("a\tb"), '|', unexpand('a       b       c') =~ s/\t/T/gr, "\n";
my ( $ext, $rem ) = extract_bracketed( '(a(b)c) rest', '()' );
print "$ext|$rem\n";
my ($q) = extract_quotelike(q{"a \" b" tail});
print "$q\n";
print colored( 'hi', 'red' ) =~ s/\e/ESC/gr, ' ', color('reset') =~ s/\e/ESC/r, "\n";
my @args = qw(--name=Bob -v -v --num 5 --list a --list b --no-flag rest1 -- --rest2);
my %o    = ( flag => 1 );
GetOptionsFromArray( \@args, \%o, 'name=s', 'v+', 'num=i', 'list=s@', 'flag!', 'opt:s' ) or die;
print join( ';', map { "$_=" . ( ref $o{$_} ? "[@{$o{$_}}]" : $o{$_} ) } sort keys %o ),
  " rest=@args\n";
{
    local $SIG{__WARN__} = sub { print "W:$_[0]" };
    @args = ('--bad');
    print GetOptionsFromArray( \@args, \%o, 'num=i' ) ? 'ok' : 'failed', "\n"
}
print length( NFD("\x{e9}") ), length( NFC("e\x{301}") ), ' ',
  length( encode( 'UTF-8', "\x{2603}" ) ), ' ', length( decode( 'UTF-8', "\xe2\x98\x83" ) ), ' ',
  is_utf8( decode( 'UTF-8', 'a' ) )          ? 1       : 0,  ' ',
  encode( 'iso-8859-1', "\x{e9}" ) eq "\xe9" ? 'latin' : '', ' ',
  unpack( 'H*', encode( 'UTF-16BE', "A\x{e9}" ) ), "\n";
my $d = { a => [ 1, { b => 2 } ] };
my $c = dclone $d;
$c->{a}[1]{b} = 3;
print $d->{a}[1]{b}, $c->{a}[1]{b}, thaw( freeze( [ 1, 2 ] ) )->[1], "\n";
my %lk = ( x => 1 );
lock_keys(%lk);
eval { $lk{y} = 1 };
print $@ =~ s/ at .*//sr, "\n";
unlock_keys(%lk);
$lk{y} = 2;
print join( ',', sort keys %lk ), "\n";
print Math::BigInt->new('123456789012345678901234567890')->bmul(2), ' ',
  Math::BigInt->new(2)->bpow(100), ' ', Math::BigInt->new(100)->bfac->length, ' ',
  Math::BigFloat->new('1')->bdiv( 3, 30 ), ' ', Math::BigFloat->bpi(40), ' ',
  Math::BigInt->new(48)->bgcd(36), "\n";
print sqrt(-4), ' ', cplx( 1, 2 ) * cplx( 3, -1 ), ' ', rad2deg(pi), ' ', deg2rad(90), "\n";
my $calls = 0;
sub slow { $calls++; $_[0]**2 }
memoize('slow');
slow(3) for 1 .. 5;
print "$calls ", slow(3), "\n";
print LIST->[1], ' ', DEBUG ? 'd' : 'n', ' ', __PACKAGE__->can('DEBUG') ? 'const' : '', "\n";
open my $f, '>', 'tf';
print $f "l$_\n" for 1 .. 3;
close $f;
tie my @l, 'Tie::File', 'tf' or die;
$l[1] = 'changed';
push @l, 'l4';
splice @l, 0, 1;
print scalar(@l), ": @l\n";
untie @l;
open $f, '<', 'tf';
print <$f>;
close $f;
print "$HOME ", scalar(@PATH) > 0 ? 'path' : '', "\n" if 0;
"abc" =~ /b/;
print "$PROGRAM_NAME " =~ /main/ ? 'name ' : '', $PID > 0 ? 'pid' : '', ' ', $OS_ERROR + 0, ' ',
  $INPUT_LINE_NUMBER // 'u', "\n";
my $t0 = time;
sleep 0.01;
print time - $t0 > 0.009 ? "slept\n" : "no\n";
my $tt = timeit( 1, sub { 1 } );
print ref $tt, "\n";
print join( ' ', map { sprintf '%s', $_ } great_circle_distance( 0, pi / 2, pi / 2, pi / 2 ) ), "\n"
  if 0;
print ucfirst( join ' ', map { lc } qw(ALL DONE) ), "\n";
local $OUTPUT_AUTOFLUSH = 1;
local $LIST_SEPARATOR   = '-';
my @x = ( 1, 2 );
print "@x\n";
print fill( '', '  ', "para one is here.\n\npara two follows it now.\n" ), "\n";
