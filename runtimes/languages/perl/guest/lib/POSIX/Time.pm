# Broken-down time for POSIX: as the C library does it, in the zone that `localtime` is in.
# By hand: Perl's own POSIX is compiled C, which the engine does not have.
package POSIX::Time;

use strict;
no warnings; # warnings would name lines of this file, which a program does not know
use integer;
use Exporter 'import';

our @EXPORT_OK = qw(strftime mktime asctime ctime difftime);

my @DAYS   = qw(Sunday Monday Tuesday Wednesday Thursday Friday Saturday);
my @MONTHS = qw(
    January February March April May June July August September October November December
);

sub _floor_div { my ($a, $b) = @_; return $a >= 0 ? $a / $b : -((-$a + $b - 1) / $b) }

# Days from 1970-01-01 to a day of a month (0 to 11) of a year.
sub _days {
    my ($year, $month, $day) = @_;
    $year += _floor_div($month, 12);
    $month -= 12 * _floor_div($month, 12);
    my $y = $month < 2 ? $year - 1 : $year;
    my $era = _floor_div($y, 400);
    my $in_era = $y - $era * 400;
    my $in_year = (153 * ($month < 2 ? $month + 10 : $month - 2) + 2) / 5 + $day - 1;
    return $era * 146_097 + $in_era * 365 + $in_era / 4 - $in_era / 100 + $in_year - 719_468;
}

# The result for the moment 0 is true in Perl ("0 but true"), because undef means no moment.
sub mktime { return (_moment(@_))[0] || '0 but true' }

# The moment and the kind of time for a local time; the ninth field may say that it is summer time.
sub _moment { return Belljar::local_moment(_seconds(@_), $_[8]) }

sub _seconds {
    my ($second, $minute, $hour, $day, $month, $year) = map { int($_ // 0) } @_[0 .. 5];
    return _days($year + 1900, $month, $day) * 86_400 + $hour * 3_600 + $minute * 60 + $second;
}

sub difftime { no integer; return $_[0] - $_[1] }

sub asctime {
    my @time = gmtime _seconds(@_);
    return sprintf "%.3s %.3s%3d %02d:%02d:%02d %d\n", $DAYS[ $time[6] ], $MONTHS[ $time[4] ],
        @time[3, 2, 1, 0], 1900 + $time[5];
}

sub ctime { return asctime(localtime $_[0]) }

# Year and week of ISO 8601.
sub _iso_week {
    my ($year, $yday, $wday) = @_;
    my $monday = ($wday + 6) % 7;
    my $week = ($yday - $monday + 10) / 7;
    return _iso_week($year - 1, $yday + _year_days($year - 1), $wday) if $week < 1;
    return ($year + 1, 1)
        if $week == 53 && $yday - $monday + 3 >= _year_days($year);
    return ($year, $week);
}

sub _year_days { my ($y) = @_; return $y % 4 == 0 && ($y % 100 != 0 || $y % 400 == 0) ? 366 : 365 }

sub _offset {
    my ($seconds) = @_;
    my $minutes = ($seconds < 0 ? -$seconds : $seconds) / 60;
    return sprintf '%s%02d%02d', $seconds < 0 ? '-' : '+', $minutes / 60, $minutes % 60;
}

my %format = (
    a => sub { substr $DAYS[ $_[6] ], 0, 3 },
    A => sub { $DAYS[ $_[6] ] },
    b => sub { substr $MONTHS[ $_[4] ], 0, 3 },
    B => sub { $MONTHS[ $_[4] ] },
    C => sub { sprintf '%02d', _floor_div($_[5] + 1900, 100) },
    d => sub { sprintf '%02d', $_[3] },
    e => sub { sprintf '%2d', $_[3] },
    g => sub { sprintf '%02d', (_iso_week($_[5] + 1900, $_[7], $_[6]))[0] % 100 },
    G => sub { (_iso_week($_[5] + 1900, $_[7], $_[6]))[0] },
    H => sub { sprintf '%02d', $_[2] },
    I => sub { sprintf '%02d', ($_[2] + 11) % 12 + 1 },
    j => sub { sprintf '%03d', $_[7] + 1 },
    k => sub { sprintf '%2d', $_[2] },
    l => sub { sprintf '%2d', ($_[2] + 11) % 12 + 1 },
    m => sub { sprintf '%02d', $_[4] + 1 },
    M => sub { sprintf '%02d', $_[1] },
    n => sub { "\n" },
    p => sub { $_[2] < 12 ? 'AM' : 'PM' },
    P => sub { $_[2] < 12 ? 'am' : 'pm' },
    s => sub { (_moment(@_))[0] },
    S => sub { sprintf '%02d', $_[0] },
    t => sub { "\t" },
    u => sub { ($_[6] + 6) % 7 + 1 },
    U => sub { sprintf '%02d', ($_[7] + 7 - $_[6]) / 7 },
    V => sub { sprintf '%02d', (_iso_week($_[5] + 1900, $_[7], $_[6]))[1] },
    w => sub { $_[6] },
    W => sub { sprintf '%02d', ($_[7] + 7 - ($_[6] + 6) % 7) / 7 },
    y => sub { sprintf '%02d', $_[5] % 100 },
    Y => sub { $_[5] + 1900 },
    z => sub { _offset((_moment(@_))[1][0]) },
    Z => sub { (_moment(@_))[1][2] },
    '%' => sub { '%' },
);

my %composed = (
    c => '%a %b %e %H:%M:%S %Y',
    D => '%m/%d/%y',
    F => '%Y-%m-%d',
    h => '%b',
    r => '%I:%M:%S %p',
    R => '%H:%M',
    T => '%H:%M:%S',
    x => '%m/%d/%y',
    X => '%H:%M:%S',
);

sub strftime {
    my ($pattern, @given) = @_;
    # Out of range values carry over, and the weekday is worked out.
    my @time = (gmtime _seconds(@given))[0 .. 7];
    $time[8] = $given[8];
    $pattern =~ s/%[EO]?([cDFhrRTxX])/$composed{$1}/g;
    $pattern =~ s/%([-_0^#]*)[EO]?([A-Za-z%])/_conversion($1, $2, @time)/ge;
    return $pattern;
}

sub _conversion {
    my ($flags, $letter, @time) = @_;
    my $code = $format{$letter} or return "%$flags$letter";
    my $text = $code->(@time);
    $text =~ s/\A[0 ]+(?=[0-9])// if $flags =~ /-/;
    $text =~ s/\A(0+)(?=[0-9])/' ' x length $1/e if $flags =~ /_/;
    $text = uc $text if $flags =~ /\^/;
    return $text;
}

1;
