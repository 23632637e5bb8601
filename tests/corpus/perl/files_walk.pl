use strict;
use warnings;
use File::Find;
use File::Path qw(make_path remove_tree);
use File::Basename;
use File::Spec::Functions qw(catfile catdir splitdir abs2rel rel2abs canonpath);
use File::Copy            qw(copy move);
use File::Temp            qw(tempfile tempdir);
use Cwd                   qw(getcwd abs_path);
use IO::File;
use Fcntl qw(SEEK_SET SEEK_END O_RDWR O_CREAT);
make_path( 'proj/src/lib', 'proj/doc', { mode => 0755 } );
my %files = (
    'proj/src/main.c'     => "int main(){}\n",
    'proj/src/lib/a.c'    => "// a\n" x 3,
    'proj/doc/readme.txt' => "hello\nworld\n",
    'proj/Makefile'       => "all:\n"
);

for ( sort keys %files ) {
    open my $f, '>', $_ or die "$_: $!";
    print $f $files{$_};
    close $f or die;
}
my @found;
find( { wanted => sub { push @found, $File::Find::name if -f }, no_chdir => 1 }, 'proj' );
print join( "\n", sort @found ), "\n";
my ( $dirs, $bytes ) = ( 0, 0 );
find( sub { $dirs++ if -d; $bytes += -s _ if -f _ }, 'proj' );
print "$dirs dirs $bytes bytes\n";
finddepth( sub { print "leaf $_\n" if /\.txt$/ }, 'proj' );

for my $p ( '/a/b/c.tar.gz', 'x.pl', 'dir/' ) {
    my ( $n, $d, $s ) = fileparse( $p, qr/\.[^.]*/ );
    print "$p: $n|$d|$s ", basename($p), ' ', dirname($p), "\n";
}
print catfile( 'a', 'b', 'c.txt' ), ' ', canonpath('/a/./b//c/../d'), ' ',
  join( '|', splitdir('/x/y') ), ' ', abs2rel( '/a/b/c', '/a' ), ' ', rel2abs( 'q', '/r' ), "\n";
copy( 'proj/Makefile', 'proj/Makefile.bak' ) or die;
move( 'proj/Makefile.bak', 'proj/doc/M' )    or die;
print -e 'proj/doc/M' ? 'moved' : 'lost', "\n";
open my $rw, '+<', 'proj/doc/readme.txt' or die;
seek $rw, 6, SEEK_SET;
print $rw 'WORLD';
seek $rw, 0, SEEK_SET;
print <$rw>;
print tell $rw, ' ', eof $rw ? 'eof' : 'more', "\n";
close $rw;
open my $ap, '>>', 'proj/doc/readme.txt';
print $ap "appended\n";
close $ap;
open my $in, '<', 'proj/doc/readme.txt';
while (<$in>) { chomp; printf "%2d: %s\n", $., $_; last if $. == 2 }
print "at $.\n";
close $in;
my @lines = do { local @ARGV = ('proj/doc/readme.txt'); <> };
print scalar(@lines), " via <>\n";
{
    local ( $^I, @ARGV ) = ( '.orig', 'proj/doc/readme.txt' );
    while (<>) { s/hello/goodbye/; print }
}
print do { open my $f, '<', 'proj/doc/readme.txt'; scalar <$f> },
  -e 'proj/doc/readme.txt.orig' ? "backup\n" : "none\n";
my $io = IO::File->new( 'proj/new', 'w' ) or die;
$io->print("one\n");
$io->printf( "%s\n", 'two' );
$io->autoflush(1);
$io->close;
$io = IO::File->new( 'proj/new', O_RDWR | O_CREAT );
print $io->getline, $io->getlines, $io->eof ? "eof\n" : '';
$io->seek( 0, 0 );
$io->truncate(4);
undef $io;
print -s 'proj/new', "\n";
my ( $tfh, $tname ) = tempfile( DIR => 'proj', UNLINK => 1 );
print $tfh 'x';
close $tfh;
print -s $tname, ' ', $tname =~ m{^proj/} ? 'in proj' : $tname, "\n";
my $td = tempdir( CLEANUP => 1 );
print -d $td ? "tempdir\n" : "no\n";
opendir my $dh, 'proj' or die;
my @e = grep { !/^\.\.?$/ && !/^\w{10}$/ } sort readdir $dh;
closedir $dh;
print "@e\n";
print join( ' ', sort glob('proj/{doc,src}/*') ), "\n";
my @sorted = sort { -s $b <=> -s $a || $a cmp $b } grep { -f } glob 'proj/src/* proj/doc/*';
print "$sorted[0]\n";
chdir 'proj' or die;
print basename( getcwd() ), "\n";
chdir '..';
rename 'proj/new', 'proj/newer';
print unlink( glob 'proj/n*' ), "\n";
print( ( stat 'proj/Makefile' )[7], ' ', -M 'proj/Makefile' < 1 ? 'fresh' : 'old', "\n" );
utime 1e9, 1e9, 'proj/Makefile';
print scalar gmtime( ( stat 'proj/Makefile' )[9] ), "\n";
remove_tree( 'proj', { result => \my $gone } );
print -e 'proj' ? 'left' : 'removed', ' ', @$gone > 5 ? 'many' : scalar @$gone, "\n";
open my $mem, '<', \"a\nb\nc\n";
my @l = <$mem>;
print scalar @l, "\n";
my $buf = '';
open my $o, '>', \$buf;
print $o 'mem ', 1 + 1;
printf $o ' %.1f', .5;
close $o;
print "$buf\n";
open my $bin, '>:raw', 'b';
print $bin pack 'C*', 0 .. 255;
close $bin;
open $bin, '<:raw', 'b';
read $bin, my $chunk, 16, 0;
print unpack( 'H*', $chunk ), ' ', -s 'b', "\n";
read $bin, $chunk, 4, 16;
print length $chunk, ' ', sysseek( $bin, 250, 0 ), ' ', sysread( $bin, $chunk, 100 ), "\n";
close $bin;
open my $u, '>:encoding(UTF-8)', 'u';
print $u "\x{e9}\x{2603}\n";
close $u;
print -s 'u', ' ';
open $u, '<:encoding(UTF-8)', 'u';
my $l = <$u>;
chomp $l;
print length $l, "\n";
open $u, '<', 'nonexistent' or print "error: $!\n";
print -e 'u' && -r _ && !-d _ ? "chain\n" : '';
print "stacked\n" if -e -f -s 'u';
my @st = map { ref } ( \*STDOUT, $u );
print "@st\n";
print STDOUT "to stdout\n";
print {*STDOUT} "glob\n";
print { 1 ? *STDOUT : *STDERR } "block\n";
my $fhname = 'STDOUT';
{ no strict 'refs'; print $fhname "by name\n" }
printf STDOUT ( "%s\n", 'parens' );
$| = 1;
local $\ = "\n";
local $, = ',';
print 'a', 'b';
