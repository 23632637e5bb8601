# Time zones: the C library has none, so `localtime` and other functions of local time use this
# file. The zone is $ENV{TZ}: a name of the time zone database, or a rule such as
# EST5EDT,M3.2.0,M11.1.0. Without one it is UTC. A kind of time is a reference to its offset in
# seconds, whether it is summer time, and its abbreviation.

package Belljar;

use strict;
no warnings;

# A line for each name, with offset and length of its record; and the records. A record has the rule
# that applies after the last change, the kinds of time, the moments of changes and the kind that
# begins at each.
our ($zone_index, $zone_records);

my %zones; # zones that were used

use constant SUMMER_RULE => 'M3.2.0,M11.1.0';

# The zone of the program; undef when it is UTC.
sub zone {
    my $name = ($ENV{TZ} // '') =~ s/\A://r;
    return undef if $name eq '' || $name eq 'UTC';
    return $zones{$name} //= named_zone($name) // rule_zone($name) // unknown_zone($name);
}

sub named_zone {
    my ($name) = @_;
    my $at = index $zone_index, "\n$name ";
    return undef if $at < 0 || $name =~ /[\n ]/;
    my (undef, $place, $length) = split / /, substr $zone_index, $at + 1, length($name) + 20;
    my ($rule, $kinds, $moments, $begun) =
        unpack 'n/a* n/a* n/a* n/a*', substr $zone_records, $place, $length;
    my @numbers = unpack '(l> C C/a*)*', $kinds;
    my @kinds;
    push @kinds, [splice @numbers, 0, 3] while @numbers;
    return {
        moments => [unpack 'l>*', $moments],
        kinds   => [map { $kinds[$_] } unpack 'C*', $begun],
        rule    => read_rule($rule),
    };
}

sub rule_zone {
    my $rule = read_rule($_[0]) // return undef;
    return { moments => [], kinds => [], rule => $rule };
}

# An unknown name means UTC, under the abbreviation that the name begins with.
sub unknown_zone {
    my $name = $_[0] =~ /\A([A-Za-z]{3,})/ ? $1 : 'UTC';
    return { moments => [], kinds => [], rule => [[0, 0, $name]] };
}

# --- rules --------------------------------------------------------------------------------

sub seconds_of {
    my ($sign, $hours, $minutes, $seconds) = $_[0] =~ /\A([-+]?)(\d+)(?::(\d+))?(?::(\d+))?\z/;
    my $all = $hours * 3_600 + $minutes * 60 + $seconds;
    return $sign eq '-' ? -$all : $all;
}

# A rule as the kinds of winter and summer time, and the dates when summer time begins and ends.
sub read_rule {
    my $name   = qr/[A-Za-z]{3,}|<[-+A-Za-z0-9]+>/;
    my $offset = qr/[-+]?\d{1,3}(?::\d\d?){0,2}/;
    my ($winter, $west, $summer, $summer_west, $dates) =
        $_[0] =~ /\A($name)($offset)(?:($name)($offset)?(?:,(.+))?)?\z/s
        or return undef;
    tr/<>//d for $winter, $summer;
    my $east = -seconds_of($west);
    return [[$east, 0, $winter]] if !defined $summer;
    my @dates = map { read_date($_) // return undef } split /,/, $dates // SUMMER_RULE;
    return undef if @dates != 2;
    my $summer_east = defined $summer_west ? -seconds_of($summer_west) : $east + 3_600;
    return [[$east, 0, $winter], [$summer_east, 1, $summer], @dates];
}

# A date of each year: month, week and day of the week, or the day of the year, and the time.
sub read_date {
    my ($day, $time) = split m{/}, $_[0], 2;
    return undef if defined $time && $time !~ /\A[-+]?\d{1,3}(?::\d\d?){0,2}\z/;
    my $seconds = defined $time ? seconds_of($time) : 7_200;
    return [$seconds, $1, $2, $3] if $day =~ /\AM(1[0-2]|[1-9])\.([1-5])\.([0-6])\z/;
    return [$seconds, undef, $1, $2] if $day =~ /\A(J?)([0-9]{1,3})\z/;
    return undef;
}

# Seconds of local time from 1970 to such a date in a year.
sub moment_of_date {
    my ($year, $seconds, $month, @day) = @_;
    my $days;
    if (defined $month) {
        my ($week, $weekday) = @day;
        $days = POSIX::Time::_days($year, $month - 1, 1);
        $days += ($weekday - $days - 4) % 7 + 7 * ($week - 1);
        $days -= 7 if $days >= POSIX::Time::_days($year, $month, 1);
    }
    else {
        my ($skips_leap_day, $number) = @day;
        $days = POSIX::Time::_days($year, 0, $skips_leap_day ? $number : $number + 1);
        $days++ if $skips_leap_day && $number > 59 && POSIX::Time::_year_days($year) == 366;
    }
    return $days * 86_400 + $seconds;
}

sub kind_by_rule {
    my ($winter, $summer, @dates) = @{ $_[0] };
    my $moment = $_[1];
    return $winter if !$summer;
    my $year = 1_900 + (CORE::gmtime($moment + $winter->[0]))[5];
    my $begin = moment_of_date($year, @{ $dates[0] }) - $winter->[0];
    my $end   = moment_of_date($year, @{ $dates[1] }) - $summer->[0];
    my $is_summer = $begin < $end
        ? $moment >= $begin && $moment < $end
        : $moment >= $begin || $moment < $end;
    return $is_summer ? $summer : $winter;
}

# --- moments ------------------------------------------------------------------------------

# The kind of time that applies at a moment.
sub kind_at {
    my ($zone, $moment) = @_;
    my ($moments, $kinds, $rule) = @$zone{qw(moments kinds rule)};
    return kind_by_rule($rule, $moment) if $rule && (!@$moments || $moment >= $moments->[-1]);
    my ($low, $high) = (0, scalar @$moments);
    while ($high - $low > 1) {
        my $middle = int(($low + $high) / 2);
        if ($moment >= $moments->[$middle]) { $low = $middle }
        else                                { $high = $middle }
    }
    return $kinds->[$low];
}

# `localtime`.
sub local_time (;$) {
    my $zone = zone();
    if (!$zone) { return @_ ? CORE::localtime($_[0]) : CORE::localtime() }
    my $moment = @_ ? $_[0] : time;
    my ($offset, $is_summer) = @{ kind_at($zone, $moment) };
    return scalar CORE::gmtime($moment + $offset) if !wantarray;
    my @fields = CORE::gmtime($moment + $offset);
    $fields[8] = $is_summer;
    return @fields;
}

# The moment and the kind of time for a local time, given as seconds from 1970 as if it were UTC. A
# local time that occurs twice means winter time, unless specified. A skipped one uses the kind of
# time before the change.
sub local_moment {
    my ($shown, $is_summer) = @_;
    my $zone = zone() // return ($shown, [0, 0, 'UTC']);
    my ($before, $after) = map { kind_at($zone, $shown + $_) } -86_400, 86_400;
    my @fitting = grep { kind_at($zone, $shown - $_->[0])->[0] == $_->[0] } $before, $after;
    my $wanted = defined $is_summer && $is_summer >= 0 ? !!$is_summer : !!0;
    my ($kind) = ((grep { !!$_->[1] == $wanted } @fitting), @fitting, $before);
    return ($shown - $kind->[0], $kind);
}

# Abbreviations of winter and summer time.
sub zone_names {
    my $zone = zone() // return ('UTC', 'UTC');
    my ($winter, $summer) = @{ $zone->{rule} // [$zone->{kinds}[-1]] };
    return ($winter->[2], $summer ? $summer->[2] : $winter->[2]);
}

# Functions in C that report local time are redirected here too.
sub take_local_time {
    no strict 'refs';
    my $format = \&Time::Piece::_strftime;
    *Time::Piece::_crt_localtime = sub { return local_time($_[0]) };
    *Time::Piece::_strftime = sub {
        my ($pattern, $moment, $is_local) = @_;
        return $format->(@_) if !$is_local || !zone();
        return POSIX::Time::strftime($pattern, local_time($moment));
    };
    return;
}

1;
