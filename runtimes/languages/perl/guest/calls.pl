# Calls of functions of the program's caller: `Belljar::call("crm.find", { q => "x" })`. A call is a
# line, written to a device; so is a wait, after which the device has the answer as a Perl expression.

# Code compiled in here sees no variables and no pragma.
sub Belljar::value_of { eval $_[0] }

package Belljar;

use strict;
no warnings;

use constant CALL_DEVICE   => '/dev/call';
use constant READ_WRITE    => do { require Fcntl; Fcntl::O_RDWR() };
use constant MAX_ARGUMENTS => 65_536;
use constant MAX_NEAR      => 3;
use constant MAX_PENDING   => 64;
# A piece of an answer. Perl makes room for all of it before it reads.
use constant ANSWER_BYTES  => 65_536;
use constant CALL_USAGE    => 'expected ($name) or ($name, \%arguments)';
use constant CLASSES       => {
    tool    => 'Belljar::ToolError',
    denied  => 'Belljar::ToolDenied',
    expired => 'Belljar::ToolExpired',
};

our $allows_objects; # for `json_of`
our $tools; # the declared tools as an expression, which the host sets; empty without tools
my $calls = 0;
my @names;

# Begins a run.
sub begin_calls {
    $calls = 0;
    @names = map { $_->{name} } declared_tools();
    return;
}

# Ends it.
sub forget_tools {
    undef $tools;
    @names = ();
    return;
}

# Names of the tools that the caller declared, in its order.
sub tools { return @names }

# A tool: a hash of its name, and its description and inputSchema if it has them. Undef if there is none.
sub tool {
    my ($name) = @_;
    my ($found) = grep { $_->{name} eq $name } declared_tools();
    return $found;
}

sub declared_tools {
    return if !length $tools;
    local ($@, $SIG{__DIE__});
    return @{ value_of($tools) };
}

# Calls a tool and returns its value. Dies with a ToolError at the line of the call. The program's $@ and
# $! stay.
sub call {
    my ($kind, $value, $data) = do { local ($@, $!); answer_to(@_) };
    return $value if $kind eq 'value';
    die CLASSES->{$kind}->new(message => $value, tool => "$_[0]", data => $data);
}

# `value` and the value of a call; or the kind of its error, the message, and the data if there are some.
sub answer_to {
    my ($name, $arguments) = @_;
    return tool => CALL_USAGE if @_ < 1 || @_ > 2 || !defined $name;
    return tool => 'this run has no tools' if !length $tools;
    $name = "$name";
    return tool => undeclared($name) if !grep { $_ eq $name } @names;
    my ($json, $fault) = arguments_json($arguments // {});
    return tool => "$name: $fault" if !defined $json;
    CORE::sysopen(my $device, CALL_DEVICE, READ_WRITE) or die "Belljar::call: $!";
    my $number = $calls + 1;
    CORE::syswrite($device, "call $number $name $json\n")
        // return tool => 'at most ' . MAX_PENDING . ' calls may be without an answer at a time';
    $calls = $number;
    while (1) {
        my @answer = without_alarms(sub { answer_within($device, $number, alarm_left()) });
        return @answer if @answer;
        ring() if !alarm_left() && has_alarm();
    }
}

# The message for a name that is not declared.
sub undeclared {
    my ($name) = @_;
    my $most = int(length($name) / 3);
    $most = $most < 1 ? 1 : $most > 3 ? 3 : $most;
    my %changes;
    for my $other (@names) {
        next if CORE::abs(length($name) - length $other) > $most;
        my $changes = changes_between($name, $other);
        $changes{$other} = $changes if $changes <= $most;
    }
    my @near = sort { $changes{$a} <=> $changes{$b} || $a cmp $b } keys %changes;
    splice @near, MAX_NEAR if @near > MAX_NEAR;
    return qq(there is no tool "$name") . (@near ? '; did you mean ' . join(', ', @near) . '?' : '');
}

# Number of letters to insert, remove or replace.
sub changes_between {
    my ($from, $to) = @_;
    my @row = 0 .. length $to;
    for my $i (1 .. length $from) {
        my @next = ($i);
        for my $j (1 .. length $to) {
            my $changes = $row[$j - 1] + (substr($from, $i - 1, 1) ne substr($to, $j - 1, 1));
            for my $other ($row[$j] + 1, $next[$j - 1] + 1) { $changes = $other if $other < $changes }
            push @next, $changes;
        }
        @row = @next;
    }
    return $row[-1];
}

# The arguments as JSON; or undef, and the reason.
sub arguments_json {
    my ($arguments) = @_;
    return undef, 'the arguments must be a reference to a hash' if ref $arguments ne 'HASH';
    my $json = do {
        local ($SIG{__DIE__}, $allows_objects) = (undef, 1);
        eval { json_of($arguments, 0, {}) };
    };
    if (!defined $json) {
        die $@ if ref $@ || $@ ne NO_JSON;
        return undef, 'the arguments cannot be JSON, which has no infinite numbers, code, cycles, objects'
            . ' without TO_JSON or characters outside of Unicode';
    }
    return $json if length $json <= MAX_ARGUMENTS;
    return undef, 'the arguments are ' . length($json) . ' bytes as JSON, the most is ' . MAX_ARGUMENTS;
}

# Waits for so many seconds, or without an end for undef. Returns what `answer_to` does, or nothing when
# the time is over.
sub answer_within {
    my ($device, $number, $seconds) = @_;
    my ($ms, $line) = (defined $seconds ? CORE::sprintf('%.3f', $seconds * 1e3) : '-', '');
    CORE::syswrite($device, "wait $number $ms\n") // die "Belljar::call: $!";
    until (substr($line, -1) eq "\n") {
        CORE::sysread($device, $line, ANSWER_BYTES, length $line) || die "Belljar::call: $!";
    }
    return if $line !~ s/\A(value|error) [0-9]+ //;
    my $kind = $1;
    utf8::decode($line);
    my ($answer, $fault) = do { local $SIG{__DIE__}; (scalar value_of($line), $@) };
    return tool => $fault =~ s/ at \(eval \d+\) line \d+\.\n\z//r if length $fault;
    return value => $answer if $kind eq 'value';
    return @$answer{qw(kind message data)};
}

# An exception of a call. As text it is like what `die` makes of a string.
package Belljar::ToolError;

use strict;
no warnings;
use overload '""' => \&text, bool => sub { 1 }, fallback => 1;

sub new {
    my ($class, %fields) = @_;
    my ($level, $file, $line) = (0);
    do { (undef, $file, $line) = CORE::caller($level++) } while defined $file && $file eq Belljar::DRIVER;
    return CORE::bless({ data => undef, tool => undef, %fields, file => $file, line => $line }, $class);
}

sub throw { my $class = CORE::shift; die $class->new(@_) }

sub message { return $_[0]{message} }
sub tool    { return $_[0]{tool} }
sub data    { return $_[0]{data} }
# Whether nobody knows if the call took place: the data says so.
sub unknown {
    my $data = $_[0]{data};
    return ref $data eq 'HASH' && ref $data->{unknown} eq 'JSON::PP::Boolean' && !!$data->{unknown};
}
sub text    { return "$_[0]{message} at $_[0]{file} line $_[0]{line}.\n" }

# The caller refused the call; the message is the reason.
package Belljar::ToolDenied;
our @ISA = ('Belljar::ToolError');

# Nobody answered in time.
package Belljar::ToolExpired;
our @ISA = ('Belljar::ToolError');

1;
