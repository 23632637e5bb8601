# Replacements for system functions that the C library lacks: time, directories, permissions, locks,
# signals to itself. Processes are refused with a reason in $!. They apply to code that is compiled
# after the image was made.

package Belljar;

use strict;
no warnings;

our $code;

use constant { ESRCH => 3, EBADF => 9, ENOSYS => 38 };

# Processor time in seconds: all of it is the program's own.
sub processor_times () {
    my $seconds = Time::HiRes::time() - $^T;
    return wantarray ? ($seconds, 0, 0, 0) : $seconds;
}

# `clock_gettime`: the clocks are real time, time since the start, and processor time.
sub clock_time (;$) {
    my $which = $_[0] // 0;
    return -1 if $which < 0 || $which > 3;
    return $which == 0 ? Time::HiRes::time() : Time::HiRes::time() - $^T;
}
sub clock_resolution (;$) { return 1e-9 }
sub clock_used ()         { return Time::HiRes::time() - $^T }

# `chdir` that resolves `..`: the C library would keep it in the directory's name.
sub plain_chdir (;$) {
    my $to = @_ ? $_[0] : $ENV{HOME};
    return CORE::chdir($to) if !defined $to || ref $to || !length $to || !CORE::chdir($to);
    my @parts;
    for my $part (split m{/}, Cwd::getcwd()) {
        if ($part eq '..') { pop @parts }
        elsif (length $part && $part ne '.') { push @parts, $part }
    }
    return CORE::chdir('/' . join '/', @parts);
}

# `chmod`: there are no permissions to change, so what exists has been changed.
sub no_chmod (@) {
    my ($mode, @paths) = @_;
    return scalar grep { ref $_ || -e $_ } @paths;
}

# `umask`: it is only remembered, as there are no permissions to restrict.
my $umask = 022;
sub kept_umask (;$) {
    my $before = $umask;
    $umask = $_[0] & 0777 if @_ && defined $_[0];
    return $before;
}

# `getlogin`: nobody logged in.
sub no_login () { return undef }

# `flock`: there is no other process, so every lock is granted.
sub no_flock (*$) {
    my ($file, $operation) = @_;
    my $package = CORE::caller;
    no strict 'refs';
    return 1 if defined CORE::fileno(ref $file ? $file : *{ qualified($file, $package) });
    $! = EBADF;
    return !!0;
}

# --- signals ------------------------------------------------------------------------------

my @signals = qw(
    ZERO HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP
    TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS
);
my %number_of = map { $signals[$_] => $_ } 0 .. $#signals;
my %is_ignored = map { $_ => 1 } qw(ZERO CHLD CONT URG WINCH STOP TSTP TTIN TTOU);
$SIG{$_} = undef for @signals[1 .. $#signals]; # a program reads the signals' names from the keys

# The name of a signal, given by name or number, without the minus sign of a group.
sub signal_name {
    my $name = $_[0] =~ s/\A-//r =~ s/\ASIG//r;
    return $signals[$name] if $name =~ /\A[0-9]+\z/ && defined $signals[$name];
    return $name if exists $number_of{$name};
    die qq(Unrecognized signal name "$name");
}

# Numbers of the signals that a program blocks, and of those that are pending.
my (%blocked, %waiting);

sub blocked_signals { return [ keys %blocked ] }
sub waiting_signals { return keys %waiting }

# Blocks these signals and no others.
sub block_signals {
    my (@numbers) = @_;
    %blocked = map { $_ => 1 } @numbers;
    delete @blocked{ $number_of{KILL}, $number_of{STOP} };
    for my $number (sort { $a <=> $b } keys %waiting) {
        deliver($signals[$number]) if !$blocked{$number} && delete $waiting{$number};
    }
    return;
}

# Begins a run, with no signal blocked and no alarm set.
sub forget_signals {
    (%blocked, %waiting) = ();
    forget_alarm();
    return;
}

# Delivers a signal to the program.
sub deliver {
    my ($name) = @_;
    if ($blocked{ $number_of{$name} }) {
        $waiting{ $number_of{$name} } = 1 if $name ne 'ZERO';
        return;
    }
    my $handler = $name eq 'KILL' || $name eq 'STOP' ? 'DEFAULT' : $SIG{$name} // '';
    return if $handler eq 'IGNORE';
    if ($handler eq '' || $handler eq 'DEFAULT') {
        CORE::exit(128 + $number_of{$name}) if !$is_ignored{$name};
        return;
    }
    no strict 'refs';
    $handler = \&{ qualified($handler, 'main') } if !ref $handler;
    $handler->($name);
    return;
}

# `kill`: the only process is the program, alone in its group.
sub send_signal (@) {
    my ($signal, @processes) = @_;
    my $name = signal_name($signal);
    my $reached = 0;
    for my $process (@processes) {
        die "Can't kill a non-numeric process ID" if ($process // '') !~ /\A\s*[-+]?\.?[0-9]/;
        if ($process != 0 && CORE::abs($process) != $$) { $! = ESRCH; next }
        $reached++;
        deliver($name);
    }
    return $reached;
}

# --- alarms, in virtual time --------------------------------------------------------------

my $alarm; # when
our ($is_held, $is_late); # whether it must wait, and whether it does
my $fine_sleep;
BEGIN {
    require Time::HiRes;
    $fine_sleep = \&Time::HiRes::sleep;
}

our $alarm_handler = \&ring;

sub forget_alarm { undef $alarm; $is_late = 0; ring_in(0); return }
sub has_alarm    { return defined $alarm }

# Seconds until the alarm; undef without one.
sub alarm_left {
    return undef if !defined $alarm;
    my $left = $alarm - Time::HiRes::time();
    return $left > 0 ? $left : 0;
}

# Calls a function during which no alarm goes off. It goes off then.
sub without_alarms {
    my ($function) = @_;
    local $is_held = 1;
    my @result = $function->();
    ($is_held, my $was_late, $is_late) = (0, $is_late, 0);
    ring() if $was_late;
    return @result;
}

# The host calls this in a program that computes, once it has used the fuel for the alarm's time.
# The clock is advanced to that time.
sub ring {
    if ($is_held) { $is_late = 1; return }
    my $left = defined $alarm ? $alarm - Time::HiRes::time() : 0;
    forget_alarm();
    $fine_sleep->($left) if $left > 0;
    deliver('ALRM');
    return;
}

# Sets the alarm and returns the time that was left on the previous one.
sub set_alarm {
    my $now = Time::HiRes::time();
    my $left = defined $alarm ? $alarm - $now : 0;
    my $seconds = $_[0] > 0 ? $_[0] : 0;
    $alarm = $seconds ? $now + $seconds : undef;
    ring_in($seconds);
    return $left > 0 ? $left : 0;
}

# Sleeps by `$sleep`, or until the alarm goes off.
sub sleep_until_alarm {
    my ($sleep, @seconds) = @_;
    my $left = defined $alarm ? $alarm - Time::HiRes::time() : undef;
    return $sleep->(@seconds) if !defined $left || @seconds && $seconds[0] < $left;
    forget_alarm();
    $fine_sleep->($left) if $left > 0;
    deliver('ALRM');
    return;
}

sub whole_alarm (;$) {
    my $left = set_alarm(@_ ? int $_[0] : int $_);
    return int($left) + ($left > int $left);
}
sub fine_alarm ($;$)  { return set_alarm($_[0]) }
sub micro_alarm ($;$) { return int 1e6 * set_alarm($_[0] / 1e6) }

sub whole_sleep (;$) {
    my $start = time;
    sleep_until_alarm(sub { @_ ? CORE::sleep($_[0]) : CORE::sleep() }, @_ ? int $_[0] : ());
    return time - $start;
}

sub slept {
    my $start = Time::HiRes::time();
    sleep_until_alarm($fine_sleep, @_);
    return Time::HiRes::time() - $start;
}
sub fine_sleep (;@)  { return slept(@_) }
sub micro_sleep ($)  { return 1e6 * slept($_[0] / 1e6) }
sub nano_sleep ($)   { return 1e9 * slept($_[0] / 1e9) }

# --- processes ----------------------------------------------------------------------------

# Whether a program may ask `open` for a process: it contains a string with such a mode.
sub names_pipe {
    return $_[0] =~ /\bopen\b/
        && $_[0] =~ m{['"](?:-\||\|-)['"]|['"]\|\s*[\w/.\$]|[\w/)\}]\s*\|['"]};
}

# Whether a call of `open` asks for a process.
sub is_pipe {
    my ($mode, @rest) = @_;
    return @rest ? $mode =~ /\A\s*(?:\|-|-\|)/ : $mode =~ /\A\s*\||\|\s*\z/;
}

# Modules that do the work of others, which programs often ask for and which are not here: the start of
# the others' names, each followed by the module that is.
my @instead = (
    [ 'JSON::PP'         => qw(JSON Cpanel/JSON Mojo/JSON) ],
    [ 'Time::Piece'      => qw(DateTime Date Time/Moment Time/ParseDate) ],
    [ 'Text::ParseWords' => qw(Text/CSV Text/CSV_XS Parse/CSV) ],
    [ 'List::Util'       => qw(List/MoreUtils List/AllUtils List/UtilsBy List/SomeUtils) ],
    [ 'Data::Dumper'     => qw(Data/Dump Data/Printer DDP) ],
    [ 'File::Spec'       => qw(Path/Tiny Path/Class File/Slurp File/Slurper) ],
    [ 'Storable'         => qw(Clone) ],
    [ 'Digest::SHA'      => qw(Digest/SHA1 Digest/SHA2 Crypt/Digest) ],
    [ 'POSIX'            => qw(Math/Round) ],
    [ 'Test::More'       => qw(Test/Most Test2 Test/Deep Test/Exception Test/Fatal) ],
    [ 'constant'         => qw(Readonly Const) ],
    [ 'feature "try"'    => qw(Try/Tiny TryCatch) ],
    [ 'feature "class"'  => qw(Moose Moo Mouse Mo Object/Pad Class/Accessor Class/Tiny) ],
);

# Why a module is missing, and the module that does its work, if there is one.
sub why_absent {
    my ($path) = @_;
    return 'there is no network'    if $path =~ m{\A(?:Socket\z|(?:HTTP|IO/Socket|LWP|Net|WWW)(?:/|\z))};
    return 'there are no processes' if $path =~ m{\AIPC/};
    return 'there are no threads'   if $path =~ m{\Athreads(?:/|\z)};
    for my $known (@instead) {
        my ($module, @others) = @$known;
        return "modules cannot be installed here; $module is available"
            if grep { $path eq $_ || index($path, "$_/") == 0 } @others;
    }
    return 'modules cannot be installed here';
}

use constant MAX_MISSING => 500;
use constant MAX_LIST    => 65_536;

# The modules that the operator of the service has added, for an error of `length` characters.
sub operators_modules {
    my ($length) = @_;
    local $!;
    my @names;
    if (CORE::open my $list, '<', '/zeroperl/lib/site_perl/modules') {
        CORE::sysread $list, my $text, MAX_LIST;
        @names = CORE::split /\n/, $text;
    }
    my $command = 'the operator of the service adds modules: PERL_PACKAGES';
    return $command if !@names;
    my $all = 'added here: ' . join(', ', @names) . "; $command";
    return $all if $length + length($all) <= MAX_MISSING;
    return @names . " modules are added here, which GET /languages lists; $command";
}

sub no_process { $! = ENOSYS; return }
sub no_system (@)  { no_process(); return $? = -1 }
sub no_command (_) { no_process(); $? = -1; return }
sub one_parent ()  { return 1 }

# --- replacements --------------------------------------------------------------------------

my %stand_ins;
BEGIN {
    %stand_ins = (
        alarm     => \&whole_alarm,
        chdir     => \&plain_chdir,
        chmod     => \&no_chmod,
        exec      => \&no_process,
        flock     => \&no_flock,
        getlogin  => \&no_login,
        getppid   => \&one_parent,
        kill      => \&send_signal,
        localtime => \&local_time,
        readpipe  => \&no_command,
        sleep     => \&whole_sleep,
        system    => \&no_system,
        times     => \&processor_times,
        umask     => \&kept_umask,
    );
    no strict 'refs';
    *{"CORE::GLOBAL::$_"} = $stand_ins{$_} for keys %stand_ins;
    *Time::HiRes::alarm     = \&fine_alarm;
    *Time::HiRes::nanosleep = \&nano_sleep;
    *Time::HiRes::sleep     = \&fine_sleep;
    *Time::HiRes::ualarm    = \&micro_alarm;
    *Time::HiRes::usleep    = \&micro_sleep;
    # the module calls these to ask whether the functions exist
    *{"Time::HiRes::d_$_"} = sub () { 1 } for qw(clock clock_getres clock_gettime ualarm);
    *Time::HiRes::clock         = \&clock_used;
    *Time::HiRes::clock_getres  = \&clock_resolution;
    *Time::HiRes::clock_gettime = \&clock_time;
    my @clocks = qw(REALTIME MONOTONIC PROCESS_CPUTIME_ID THREAD_CPUTIME_ID);
    for my $number (0 .. $#clocks) {
        *{"Time::HiRes::CLOCK_$clocks[$number]"} = sub () { $number };
    }
}

# Removes these for a program that installs its own, or that names the file to execute in a block,
# which only Perl's own functions support.
sub step_aside {
    my @names = $code =~ /\bCORE::GLOBAL::(\w+)/g;
    push @names, 'system', 'exec' if $code =~ /\b(?:system|exec)\b\s*(?:\(\s*)?\{/;
    delete $CORE::GLOBAL::{$_} for grep { $stand_ins{$_} } @names;
    return;
}

1;
