use strict; use warnings;
use POSIX qw(strftime floor ceil fmod INT_MAX DBL_MAX);
use Time::Local;
my $t = timegm(56, 34, 12, 15, 2, 2024); print "$t\n"; my @g = gmtime($t); print join(',', @g), "\n"; print scalar(gmtime $t), "\n";
print strftime('%Y-%m-%d %H:%M:%S %a %A %b %B %j %U %W %u %w %y %e %I %p %D %F %T %R %%', @g), "\n"; print strftime('%Y-%m-%d', 0, 0, 0, 32, 0, 124), "\n";
print floor(-1.5), ceil(-1.5), " ", floor(2), " ", fmod(7.5, 2), " ", INT_MAX, "\n"; print strftime('%G-W%V', gmtime(timegm(0, 0, 0, 1, 0, 2021))), "\n"; my ($d, $m, $y) = (gmtime($t))[3, 4, 5]; printf "%02d.%02d.%d\n", $d, $m + 1, $y + 1900;
