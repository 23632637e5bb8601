use strict;
use warnings;
use POSIX qw(strftime mktime floor);
use Time::Local;
use Time::Piece;
use Time::Seconds;
my $t = timegm( 5, 4, 3, 29, 1, 2024 );
print "$t\n", scalar gmtime $t, "\n";
my @f = gmtime $t;
print "@f\n";
print strftime( "%Y-%m-%d %H:%M:%S %j %a %A %b %B %U %w %y %e %I %p %%", @f ), "\n";
print strftime( "%F %T %D %R %C %u %V %G %h %n|%t|",                     @f ), "\n";
my $tp = gmtime($t);
print $tp->ymd, ' ', $tp->hms, ' ', $tp->dmy('.'), ' ', $tp->monname, ' ', $tp->day, ' ',
  $tp->yday, ' ', $tp->week, ' ', $tp->is_leap_year ? 'leap' : 'no', ' ', $tp->month_last_day, ' ',
  $tp->julian_day, ' ', $tp->datetime, "\n";
my $p = Time::Piece->strptime( '2023-12-25 08:30:00', '%Y-%m-%d %H:%M:%S' );
print $p->strftime('%A, %d %B %Y'), ' ', $p->epoch, "\n";
my $d = $tp - $p;
print ref $d, ' ', int $d->days, ' days ', $d->pretty, "\n";
my $q = $p + ONE_DAY * 10;
print $q->ymd, ' ', ( $p->add_months(2) )->ymd, ' ', $p->add_years(-1)->ymd, ' ',
  $p < $q ? 'before' : 'after', "\n";

for my $y ( 1900, 2000, 2023, 2024 ) {
    print "$y ", ( $y % 4 == 0 && ( $y % 100 != 0 || $y % 400 == 0 ) ) ? 'leap' : 'common', '; ';
}
print "\n";
my %mon = do {
    my $i = 0;
    map { $_ => ++$i } qw(Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec);
};
for my $s ( '12/Mar/2024', '01/Jan/1970', '31/Dec/1999' ) {
    my ( $dd, $m, $y ) = split m{/}, $s;
    my $e = timegm( 0, 0, 0, $dd, $mon{$m} - 1, $y );
    printf "%s %d %s\n", $s, $e / 86400, (qw(Sun Mon Tue Wed Thu Fri Sat))[ ( gmtime $e )[6] ];
}
eval { timegm( 0, 0, 0, 31, 1, 2024 );            1 } or print $@ =~ s/ at .*//sr, "\n";
eval { Time::Piece->strptime( 'nonsense', '%Y' ); 1 } or print $@ =~ s/ at .*//sr, "\n";
print mktime( 0, 0, 0, 1, 0, 100 ), ' ', mktime( 0, 0, 0, 32, 0, 100 ), ' ',
  timelocal( 0, 0, 0, 1, 0, 2000 ), "\n";
print scalar( localtime 86400 * 365 ), "\n";

sub easter {
    my $y = shift;
    my ( $a, $b, $c ) = ( $y % 19, int $y / 100, $y % 100 );
    my ( $d, $e ) = ( int $b / 4, $b % 4 );
    my $f = int( ( $b + 8 ) / 25 );
    my $g = int( ( $b - $f + 1 ) / 3 );
    my $h = ( 19 * $a + $b - $d - $g + 15 ) % 30;
    my ( $i, $k ) = ( int $c / 4, $c % 4 );
    my $l = ( 32 + 2 * $e + 2 * $i - $h - $k ) % 7;
    my $m = int( ( $a + 11 * $h + 22 * $l ) / 451 );
    my $n = $h + $l - 7 * $m + 114;
    sprintf '%d-%02d-%02d', $y, int $n / 31, $n % 31 + 1;
}
print join( ' ', map { easter($_) } 2020 .. 2026 ), "\n";
print "year 2038: ", scalar gmtime( 2**31 ), " neg: ", scalar gmtime(-1), " far: ",
  scalar gmtime( 2**40 ), "\n";
