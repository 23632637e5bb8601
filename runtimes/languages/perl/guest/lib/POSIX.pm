# POSIX for an interpreter without it: arithmetic, limits, text, time and files as far as a
# program without processes, terminals and signals can use them.
# By hand: Perl's own POSIX is compiled C, which the engine does not have.
package POSIX;

use strict;
no warnings; # warnings would name lines of this file, which a program does not know
use Carp ();
use Errno ();
use Fcntl ();
use Time::HiRes ();
use POSIX::Time qw(strftime mktime asctime ctime difftime);

our $VERSION = '2.23';

use constant {
    CHAR_BIT => 8, CHAR_MAX => 127, CHAR_MIN => -128, SCHAR_MAX => 127, SCHAR_MIN => -128,
    UCHAR_MAX => 255, SHRT_MAX => 32_767, SHRT_MIN => -32_768, USHRT_MAX => 65_535,
    INT_MAX => 2_147_483_647, INT_MIN => -2_147_483_648, UINT_MAX => 4_294_967_295,
    LONG_MAX => 9_223_372_036_854_775_807, LONG_MIN => -9_223_372_036_854_775_807 - 1,
    ULONG_MAX => 18_446_744_073_709_551_615, SSIZE_MAX => 9_223_372_036_854_775_807,
    PATH_MAX => 1_024, NAME_MAX => 255, OPEN_MAX => 256, BUFSIZ => 8_192, EOF => -1,
    DBL_DIG => 15, DBL_EPSILON => 2**-52, DBL_MANT_DIG => 53, DBL_MAX_EXP => 1_024,
    DBL_MIN_EXP => -1_021, DBL_MAX_10_EXP => 308, DBL_MIN_10_EXP => -307,
    DBL_MAX => (2 - 2**-52) * 2**1023, DBL_MIN => 2**-1022, FLT_RADIX => 2,
    FLT_DIG => 6, FLT_EPSILON => 2**-23, FLT_MANT_DIG => 24, FLT_MAX_EXP => 128,
    FLT_MIN_EXP => -125, FLT_MAX => (2 - 2**-23) * 2**127, FLT_MIN => 2**-126,
    LDBL_DIG => 15, LDBL_EPSILON => 2**-52, LDBL_MAX => (2 - 2**-52) * 2**1023,
    LDBL_MIN => 2**-1022, RAND_MAX => 2_147_483_647, EXIT_SUCCESS => 0, EXIT_FAILURE => 1,
    CLOCKS_PER_SEC => 1_000_000, HUGE_VAL => 9**9**9, INFINITY => 9**9**9, NAN => -sin 9**9**9,
    M_PI => 4 * atan2(1, 1), M_PI_2 => 2 * atan2(1, 1), M_PI_4 => atan2(1, 1),
    M_1_PI => 1 / (4 * atan2 1, 1), M_2_PI => 2 / (4 * atan2 1, 1), M_E => exp 1,
    M_LN2 => log 2, M_LN10 => log 10, M_LOG2E => 1 / log 2, M_LOG10E => 1 / log 10,
    M_SQRT2 => sqrt 2, M_SQRT1_2 => sqrt .5,
    SIGBUS => 7, SIGTTIN => 21, SIGTTOU => 22, SIGURG => 23, SIGXCPU => 24, SIGXFSZ => 25,
    SIGVTALRM => 26, SIGPROF => 27, SIGPOLL => 29, SIGSYS => 31, SIG_DFL => 0, SIG_IGN => 1,
    WNOHANG => 1, WUNTRACED => 2, R_OK => 4, W_OK => 2, X_OK => 1, F_OK => 0,
    STDIN_FILENO => 0, STDOUT_FILENO => 1, STDERR_FILENO => 2,
    SIGHUP => 1, SIGINT => 2, SIGQUIT => 3, SIGILL => 4, SIGTRAP => 5, SIGABRT => 6, SIGFPE => 8,
    SIGKILL => 9, SIGUSR1 => 10, SIGSEGV => 11, SIGUSR2 => 12, SIGPIPE => 13, SIGALRM => 14,
    SIGTERM => 15, SIGCHLD => 17, SIGCONT => 18, SIGSTOP => 19, SIGTSTP => 20,
    SIG_BLOCK => 0, SIG_UNBLOCK => 1, SIG_SETMASK => 2,
    LC_CTYPE => 0, LC_NUMERIC => 1, LC_TIME => 2, LC_COLLATE => 3, LC_MONETARY => 4,
    LC_MESSAGES => 5, LC_ALL => 6,
    FE_TONEAREST => 0, FE_DOWNWARD => 1, FE_UPWARD => 2, FE_TOWARDZERO => 3,
};

# --- arithmetic ---------------------------------------------------------------------------

sub floor { my $whole = int $_[0]; return $whole > $_[0] ? $whole - 1 : $whole }
sub ceil  { my $whole = int $_[0]; return $whole < $_[0] ? $whole + 1 : $whole }
sub trunc { return int $_[0] }

sub round {
    my ($x) = @_;
    my $whole = int $x;
    return $whole if CORE::abs($x - $whole) < .5;
    return $x < 0 ? $whole - 1 : $whole + 1;
}
sub remainder { return $_[0] - $_[1] * rint($_[0] / $_[1]) }
sub lround { return round($_[0]) }

sub rint {
    my ($x) = @_;
    my $low = floor($x);
    my $part = $x - $low;
    return $low if $part < .5 || $part == .5 && fmod($low, 2) == 0;
    return $low + 1;
}
*nearbyint = *lrint = \&rint;

sub fmod {
    my ($x, $y) = @_;
    return NAN() if !$y || isinf($x) || $x != $x || $y != $y;
    return $x if isinf($y);
    my ($rest, $by) = (CORE::abs $x, CORE::abs $y);
    while ($rest >= $by) {
        my $step = $by;
        $step *= 2 while $step <= $rest / 2;
        $rest -= $step;
    }
    return $x < 0 ? -$rest : $rest;
}

sub modf { my $whole = int $_[0]; return ($_[0] - $whole, $whole) }

sub frexp {
    my ($x) = @_;
    return ($x, 0) if !$x || isinf($x) || $x != $x;
    my $exponent = 0;
    while (CORE::abs($x) >= 1)  { $x /= 2; $exponent++ }
    while (CORE::abs($x) < .5)  { $x *= 2; $exponent-- }
    return ($x, $exponent);
}
sub ldexp { return $_[0] * 2**$_[1] }

sub fmin { return $_[0] != $_[0] ? $_[1] : $_[1] != $_[1] || $_[0] < $_[1] ? $_[0] : $_[1] }
sub fmax { return $_[0] != $_[0] ? $_[1] : $_[1] != $_[1] || $_[0] > $_[1] ? $_[0] : $_[1] }
sub fdim { return $_[0] > $_[1] ? $_[0] - $_[1] : 0 }
sub fma  { return $_[0] * $_[1] + $_[2] }
sub fabs { return CORE::abs $_[0] }
sub copysign { return signbit($_[1]) ? -CORE::abs $_[0] : CORE::abs $_[0] }
sub signbit { return unpack('Q', pack 'd', $_[0]) >> 63 }
sub hypot { return sqrt $_[0]**2 + $_[1]**2 }

sub isnan    { return $_[0] != $_[0] ? 1 : 0 }
sub isinf    { return $_[0] == 9**9**9 || $_[0] == -9**9**9 ? 1 : 0 }
sub isfinite { return isnan($_[0]) || isinf($_[0]) ? 0 : 1 }

sub tan   { return sin($_[0]) / cos $_[0] }
sub asin  { return atan2 $_[0], sqrt 1 - $_[0]**2 }
sub acos  { return atan2 sqrt(1 - $_[0]**2), $_[0] }
sub atan  { return atan2 $_[0], 1 }
sub sinh  { return (exp($_[0]) - exp -$_[0]) / 2 }
sub cosh  { return (exp($_[0]) + exp -$_[0]) / 2 }
sub asinh { my $x = CORE::abs $_[0]; my $y = log $x + sqrt $x**2 + 1; return $_[0] < 0 ? -$y : $y }
sub acosh { return log $_[0] + sqrt $_[0]**2 - 1 }
sub atanh { return .5 * log((1 + $_[0]) / (1 - $_[0])) }

sub tanh {
    my ($x) = @_;
    return $x < 0 ? -1 : 1 if CORE::abs($x) > 20;
    my $square = exp 2 * $x;
    return ($square - 1) / ($square + 1);
}

sub log10 { return log($_[0]) / log 10 if $_[0] != int $_[0]; return _exact_log($_[0], 10) }
sub log2  { return log($_[0]) / log 2 if $_[0] != int $_[0]; return _exact_log($_[0], 2) }

# Powers of the base have whole logarithms.
sub _exact_log {
    my ($x, $base) = @_;
    my $result = log($x) / log $base;
    my $near = round($result);
    return $base**$near == $x ? $near : $result;
}
sub log1p { my ($x) = @_; return CORE::abs($x) < 1e-5 ? $x - $x**2 / 2 + $x**3 / 3 : log 1 + $x }
sub expm1 { my ($x) = @_; return CORE::abs($x) < 1e-5 ? $x + $x**2 / 2 + $x**3 / 6 : exp($x) - 1 }
sub exp2  { return 2**$_[0] }
sub logb  { return (frexp($_[0]))[1] - 1 }
sub pow   { return $_[0]**$_[1] }

sub cbrt {
    my ($x) = @_;
    return $x if !$x;
    my $root = CORE::abs($x)**(1 / 3);
    $root -= ($root**3 - CORE::abs $x) / (3 * $root**2);
    my $near = round($root);
    $root = $near if $near**3 == CORE::abs $x;
    return $x < 0 ? -$root : $root;
}

# --- text ---------------------------------------------------------------------------------

sub toupper  { return uc $_[0] }
sub tolower  { return lc $_[0] }
sub strstr   { return CORE::index $_[0], $_[1] }
sub strerror { local $! = $_[0]; return "$!" }
sub strcoll  { return $_[0] cmp $_[1] }

sub strtol {
    my ($text, $base) = @_;
    $base //= 10;
    my ($sign, $prefix, $digits) = $text =~ /\A\s*([-+]?)(0[xX])?(.*)\z/s;
    if (!defined $prefix) { $prefix = '' }
    elsif ($base != 0 && $base != 16) { ($prefix, $digits) = ('', "$prefix$digits") }
    $base = length $prefix ? 16 : $digits =~ /\A0/ ? 8 : 10 if !$base;
    my ($value, $used) = (0, 0);
    for my $char (split //, lc $digits) {
        my $digit = $char =~ /[0-9]/ ? $char : $char =~ /[a-z]/ ? ord($char) - 87 : 99;
        last if $digit >= $base;
        $value = $value * $base + $digit;
        $used++;
    }
    my $rest = $used ? length($digits) - $used : length $text;
    $value = -$value if $sign eq '-';
    return wantarray ? ($value, $rest) : $value;
}
*strtoul = \&strtol;

sub strtod {
    my ($text) = @_;
    my ($number) = $text =~ /\A\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?inf(?:inity)?|[-+]?nan)/i;
    my $rest = defined $number ? length($text) - length(($text =~ /\A(\s*)/)[0]) - length $number : length $text;
    return wantarray ? (0 + ($number // 0), $rest) : 0 + ($number // 0);
}
*strtold = \&strtod;

# --- system -------------------------------------------------------------------------------

sub WIFEXITED   { return ($_[0] & 127) == 0 }
sub WEXITSTATUS { return $_[0] >> 8 & 255 }
sub WIFSIGNALED { return ($_[0] & 127) != 0 }
sub WTERMSIG    { return $_[0] & 127 }
sub WIFSTOPPED  { return !!0 }

sub setlocale  { return 'C' }
sub localeconv { return { decimal_point => '.' } }
sub tzname     { return Belljar::zone_names() }
sub tzset      { return }
sub uname      { return ('Belljar', 'localhost', '1', '1', 'wasm32') }
sub cuserid    { return '' }
sub ttyname    { return undef }
sub ctermid    { return '/dev/tty' }
sub isatty     { return !!0 }
sub clock      { return int 1e6 * (Time::HiRes::time() - $^T) }
sub getpid     { return $$ }
sub getppid    { return 1 }
sub getcwd     { require Cwd; return Cwd::getcwd() }
sub errno      { $! = $_[0] if @_; return $! + 0 }
sub perror     { print STDERR @_ ? "$_[0]: $!\n" : "$!\n" }
sub access     { my $mode = $_[1]; return -e $_[0] && (!($mode & 2) || -w _) && (!($mode & 1) || -x _) }
sub creat      { return POSIX::open($_[0], Fcntl::O_WRONLY() | Fcntl::O_CREAT() | Fcntl::O_TRUNC(), $_[1]) }
sub abort      { die "Aborted\n" }
sub _exit      { $| = 1; exit $_[0] }
sub times      { my $ticks = int 100 * Time::HiRes::time(); return ($ticks, int clock() / 10_000, 0, 0, 0) }
sub raise      { return Belljar::send_signal($_[0], $$) ? '0 but true' : undef }
sub alarm      { return Belljar::whole_alarm($_[0]) }
sub sleep      { return int($_[0]) - Belljar::whole_sleep($_[0]) }

sub pause {
    Carp::croak('POSIX::pause would never end: no alarm is set') if !Belljar::has_alarm();
    Belljar::whole_sleep();
    $! = 4;
    return undef;
}

our %handles;

sub open {
    my ($path, $flags, $mode) = @_;
    sysopen my $handle, $path, $flags // 0, $mode // 0666 or return undef;
    $handles{ fileno $handle } = $handle;
    my $number = fileno $handle;
    return $number == 0 ? '0 but true' : $number;
}

sub _handle {
    my ($number) = @_;
    return (\*STDIN, \*STDOUT, \*STDERR)[$number] if $number < 3;
    $! = 9 if !$handles{$number};
    return $handles{$number};
}
sub close { my $handle = _handle($_[0]) or return undef; delete $handles{ $_[0] }; return CORE::close($handle) ? '0 but true' : undef }
sub write { my $handle = _handle($_[0]) or return undef; return syswrite $handle, $_[1], $_[2] // length $_[1] }
sub read  { my $handle = _handle($_[0]) or return undef; return sysread $handle, $_[1], $_[2] }
sub lseek { my $handle = _handle($_[0]) or return undef; return sysseek $handle, $_[1], $_[2] }

# C's names for functions that Perl has under the same or another name. Replacements of Perl's own
# functions apply here too.
my %builtin = (
    abs => 'abs $_[0]', atan2 => 'atan2 $_[0], $_[1]', cos => 'cos $_[0]', exp => 'exp $_[0]',
    log => 'log $_[0]', sin => 'sin $_[0]', sqrt => 'sqrt $_[0]', labs => 'abs $_[0]',
    exit => 'exit($_[0] // 0)', getenv => '$ENV{$_[0]}',
    time => 'time', gmtime => 'gmtime $_[0]', localtime => 'localtime($_[0])',
    printf => 'printf STDOUT @_', sprintf => 'sprintf shift, @_', remove => 'unlink $_[0]',
    rename => 'rename $_[0], $_[1]', unlink => 'unlink $_[0]', mkdir => 'mkdir $_[0], $_[1] // 0777',
    rmdir => 'rmdir $_[0]', chdir => 'chdir $_[0]', rewind => 'seek $_[0], 0, 0', umask => 'umask $_[0]',
    system => 'system $_[0]', tmpnam => 'die "Use File::Temp instead\n"',
);
for my $name (keys %builtin) {
    no strict 'refs';
    my $core = defined &{"CORE::GLOBAL::$name"} ? '' : 'CORE::';
    *$name = eval "sub { $core$builtin{$name} }" || eval "sub { $builtin{$name} }" || die $@;
}

require POSIX::Signals;

# --- what is exported ---------------------------------------------------------------------

my @own = grep { defined &{"POSIX::$_"} && !$builtin{$_} && !/\A(?:open|close|read|write|access|times|sleep|alarm|getppid|import|fmin|fmax|fdim|fma|round|lround|trunc|rint|nearbyint|lrint|cbrt|log2|log1p|expm1|exp2|logb|hypot|copysign|signbit|isnan|isinf|isfinite|asinh|acosh|atanh|strtold|_[a-z]+\w*|M_\w+|FE_\w+|NAN|INFINITY|tolower|toupper|AUTOLOAD|croak|constant)\z/ }
    do { no strict 'refs'; keys %POSIX:: };
our @EXPORT = (@own, qw(_exit access alarm labs remove), grep { /\A(?:M_\w+|NAN|INFINITY)\z/ } keys %POSIX::);
our @EXPORT_OK = qw(
    open close read write times getppid tolower toupper abs atan2 cos exp log sin sqrt exit getenv sleep time gmtime
    localtime printf sprintf rename unlink mkdir rmdir chdir fmin fmax fdim fma round lround trunc rint
    nearbyint lrint cbrt log2 log1p expm1 exp2 logb hypot copysign signbit isnan isinf isfinite asinh acosh
    atanh strtold
    FE_TONEAREST FE_DOWNWARD FE_UPWARD FE_TOWARDZERO
);
push @EXPORT, @Errno::EXPORT_OK, grep { /\A(?:O_|SEEK_|S_I|F_|FD_)/ && defined &{"Fcntl::$_"} } @Fcntl::EXPORT, @Fcntl::EXPORT_OK;

our %EXPORT_TAGS = (
    sys_wait_h => [ grep { /\AW[A-Z]+\z/ } @own ],
    limits_h   => [ grep { /_(?:MAX|MIN|BIT)\z/ && !/DBL|FLT/ } @own ],
    float_h    => [ grep { /\A(?:L?DBL|FLT)_/ } @own ],
    math_h     => [qw(HUGE_VAL acos asin atan ceil cosh fabs floor fmod frexp ldexp log10 modf pow sinh tan tanh)],
    math_h_c99 => [qw(M_PI M_E NAN INFINITY round trunc cbrt log2 hypot fmin fmax isnan isinf isfinite lround)],
    signal_h   => [ grep { /\A(?:SIG|SA_|sig)/ } @own ],
    errno_h    => [ @Errno::EXPORT_OK, 'errno' ],
    fcntl_h    => [ grep { /\A(?:O_|SEEK_|S_I|F_|FD_)/ } @EXPORT ],
    time_h     => [qw(CLOCKS_PER_SEC asctime clock ctime difftime mktime strftime tzset tzname)],
    locale_h   => [ 'setlocale', 'localeconv', grep { /\ALC_/ } @own ],
    unistd_h   => [qw(R_OK W_OK X_OK F_OK STDIN_FILENO STDOUT_FILENO STDERR_FILENO _exit getcwd getpid isatty lseek)],
    stdlib_h   => [qw(EXIT_SUCCESS EXIT_FAILURE RAND_MAX abort strtod strtol strtoul)],
    string_h   => [qw(strcoll strerror strstr)],
    ctype_h    => [qw(tolower toupper)],
    stdio_h    => [qw(BUFSIZ EOF perror)],
    sys_stat_h => [ grep { /\AS_I/ } @EXPORT ],
);

sub import {
    my ($class, @wanted) = @_;
    my $package = caller;
    my %known = map { $_ => 1 } @EXPORT, @EXPORT_OK;
    my @names = @wanted ? map { s/\A://r ne $_ || exists $EXPORT_TAGS{$_} && /_h\b/ ? @{ $EXPORT_TAGS{ s/\A://r } // Carp::croak(qq("$_" is not defined in %POSIX::EXPORT_TAGS)) } : $_ } @wanted : @EXPORT;
    for my $name (@names) {
        (my $plain = $name) =~ s/\A&//;
        no strict 'refs';
        if (!$known{$plain}) {
            Carp::croak(qq("$plain" is not exported by the POSIX module\nCan't continue after import errors));
        }
        my ($owner) = grep { defined &{"${_}::$plain"} } qw(POSIX Errno Fcntl);
        *{"${package}::$plain"} = \&{"${owner}::$plain"};
    }
    return;
}

our $AUTOLOAD;

sub AUTOLOAD {
    my ($name) = $AUTOLOAD =~ /([^:]+)\z/;
    return if $name eq 'DESTROY';
    for my $from (qw(Errno Fcntl)) {
        no strict 'refs';
        if (defined &{"${from}::$name"}) { *{"POSIX::$name"} = \&{"${from}::$name"}; goto &{"POSIX::$name"} }
    }
    Carp::croak("Unimplemented: POSIX::$name() is not available here");
}

1;
