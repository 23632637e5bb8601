# The driver: runs a submitted program inside the interpreter and tells the host what came of
# it. It is loaded once, before the image is taken.
#
# The host sets $Belljar::code, calls Belljar::begin, Belljar::run, Belljar::end for each END
# block and Belljar::finish, and reads $Belljar::outcome: a letter and what belongs to it.
#   n         no value
#   t<text>   a value as text
#   j<json>   a value as JSON
#   e<json>   an error: {name, message, traceback, lineNumber?}
#   x<status> the program ended itself with a status other than 0
# All text is UTF-8. Builtins are called as operators and variables are reached through what is
# compiled here, so nothing a program does to the symbol table changes what this file means.
#
# Lines of this file are "belljar:driver" in stack frames, and every frame from the first of
# them outwards is hidden from the program.

package main;

# The program is compiled here: no pragma is on, no lexical is in sight.
sub Belljar::evaluate { eval $Belljar::code }

package Belljar;

use strict;
use warnings;
no warnings qw(once redefine experimental recursion);

use constant DRIVER      => 'belljar:driver';
use constant SCRIPT      => 'main.pl';
use constant MAX_DEPTH   => 512;
use constant MAX_FRAMES  => 100;
use constant NO_JSON     => "belljar: no JSON\n";

our ($code, $lines, $environment, $seed, $data, $data_package, $wants_value, $outcome);
our ($check_blocks, $init_blocks);
our ($block, $status, $exited, $keeps, $place);

my (@trace, $thrown);

# --- text ---------------------------------------------------------------------------------

# A string as UTF-8: characters encoded, bytes as they are when they are UTF-8 already.
sub utf8_of {
    my $string = $_[0];
    return '' if !defined $string;
    if (utf8::is_utf8($string)) { utf8::encode($string) }
    else {
        my $copy = $string;
        utf8::encode($string) if !utf8::decode($copy);
    }
    return $string;
}

my %escape = ("\n" => '\n', "\r" => '\r', "\t" => '\t', '"' => '\"', '\\' => '\\\\');

sub json_string {
    my $bytes = utf8_of($_[0]);
    $bytes =~ s/(["\\\x00-\x1f\x7f])/$escape{$1} \/\/ CORE::sprintf('\u%04x', CORE::ord $1)/ge;
    return qq("$bytes");
}

# --- values -------------------------------------------------------------------------------

# JSON of a value; dies with NO_JSON when there is none.
sub json_of {
    my ($value, $depth, $above) = @_;
    return 'null' if !defined $value;
    my $class = ref $value;
    if (!$class) {
        return $value ? 'true' : 'false' if builtin::is_bool($value);
        return json_string($value) if !builtin::created_as_number($value);
        my $digits = "$value";
        die NO_JSON if $digits !~ /\A-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?\z/;
        return $digits;
    }
    return $$value ? 'true' : 'false' if $class eq 'JSON::PP::Boolean';
    my $address = builtin::refaddr($value);
    die NO_JSON if $depth > MAX_DEPTH || $above->{$address};
    local $above->{$address} = 1;
    if ($class eq 'ARRAY') {
        return '[' . join(',', map { json_of($_, $depth + 1, $above) } @$value) . ']';
    }
    die NO_JSON if $class ne 'HASH';
    my @pairs = map { json_string($_) . ':' . json_of($value->{$_}, $depth + 1, $above) }
        sort keys %$value;
    return '{' . join(',', @pairs) . '}';
}

# The value of the program as an outcome.
sub describe {
    my ($value) = @_;
    return 'n' if !defined $value;
    my $class = ref $value;
    if ($class eq 'ARRAY' || $class eq 'HASH') {
        my $json = do { local $SIG{__DIE__}; eval { json_of($value, 0, {}) } };
        return "j$json" if defined $json;
        die $@ if ref $@ || $@ ne NO_JSON;
    }
    return 't' . utf8_of("$value");
}

# --- errors -------------------------------------------------------------------------------

sub frames {
    my ($level, @lines) = ($_[0] + 1);
    while (my ($package, $file, $line, $sub) = CORE::caller($level++)) {
        last if $file eq DRIVER || !$line;
        next if $file =~ m{/Carp(?:/Heavy)?\.pm\z};
        if (@lines >= MAX_FRAMES) { push @lines, '...'; last }
        my $what = $sub eq '(eval)' ? 'eval {...}' : $sub;
        push @lines, @lines ? "$what called at $file line $line" : "at $file line $line";
    }
    return @lines;
}

# What is thrown, so that a trace can be told to belong to it. No reference is held.
sub identity { ref $_[0] ? builtin::refaddr($_[0]) : $_[0] }

sub died {
    $thrown = identity($_[0]);
    @trace = frames(0);
    die $_[0];
}

sub message_of {
    my ($error) = @_;
    return "$error" if !ref $error;
    my $class = builtin::blessed($error);
    if (!defined $class) {
        my $json = eval { json_of($error, 0, {}) };
        return defined $json ? $json : "$error";
    }
    if (my $method = eval { $error->can('message') }) {
        my $message = eval { $error->$method };
        return "$message" if defined $message;
    }
    if (!overload::Method($error, '""') && builtin::reftype($error) eq 'HASH') {
        for my $field (qw(message msg error)) {
            my $message = $error->{$field};
            return $message if defined $message && !ref $message;
        }
    }
    return "$error";
}

# The line of the submitted program that an error is about.
sub line_of {
    my ($message, @frames) = @_;
    my $script = quotemeta SCRIPT;
    return $1 if $message =~ /at $script line (\d+)(?:, <[^>]*> (?:line|chunk) \d+)?\.?$/m;
    return $1 if $message =~ /at $script line (\d+)/;
    for (@frames) { return $1 if /at $script line (\d+)\z/ }
    return undef;
}

# What the host appended counts as the last line of the program, and is not complained about.
sub within_program {
    my ($message) = @_;
    my $script = quotemeta SCRIPT;
    $message =~ s/^BEGIN not safe after errors\b.* at $script line (\d+)\.\n?/$1 > $lines ? '' : $&/me;
    $message =~ s/(at $script line )(\d+)/$1 . ($2 > $lines ? $lines : $2)/ge;
    return $message;
}

sub describe_error {
    my ($error) = @_;
    local $SIG{__DIE__};
    my $class = builtin::blessed($error) // 'Error';
    my $message = eval { within_program(utf8_of(message_of($error))) } // 'The error could not be described';
    my @frames = defined $thrown && identity($error) eq $thrown ? @trace : ();
    my $line = line_of($message, @frames);
    $message =~ s/\n\z//;
    return 'e{"name":' . json_string($class) . ',"message":' . json_string($message)
        . ',"traceback":[' . join(',', map { json_string($_) } @frames) . ']'
        . (defined $line ? qq(,"lineNumber":$line) : '') . '}';
}

sub settle {
    my ($ok, $value) = @_;
    $outcome = $ok ? eval { describe($value) } // describe_error($@) : describe_error($value);
    $status = 255 if $outcome =~ /\Ae/;
    utf8::decode($outcome);
}

# --- what a program sees of its surroundings ----------------------------------------------

# `caller` without the frames of this file. It takes effect in what is compiled after the image
# was made, and in Carp.
sub visible_caller (;$) {
    my $level = 1 + (@_ ? int($_[0] // 0) : 0);
    my @frame;
    if (CORE::caller(0) eq 'DB') { package DB; @frame = CORE::caller($level) }
    else { @frame = CORE::caller($level) }
    return if !@frame || $frame[1] eq DRIVER || !$frame[2];
    return $frame[0] if !wantarray;
    return @_ ? @frame : @frame[0 .. 2];
}

# Processor seconds: all are the program's own.
sub processor_times () {
    my $seconds = Time::HiRes::time() - $^T;
    return wantarray ? ($seconds, 0, 0, 0) : $seconds;
}

# `chdir` that takes `..` away: the C library would go on with it in the directory's name.
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

# `open` for programs that duplicate handles or open a standard one anew: the C library has no
# `dup`, so the file system stands in, and a number is free again once it is closed.
sub duplicating_open (*;$@) {
    my $slot = \shift;
    my ($mode, @rest) = @_;
    my $package = CORE::caller;
    if (my ($direction, $source) = duplication($mode, @rest)) {
        my $number = number_of($source, $package);
        if (!defined $number) { $! = 8; return }
        ($mode, @rest) = ($direction, "/dev/fd/$number");
    }
    no strict 'refs';
    my $known = defined $$slot && !ref $$slot;
    my $handle = $known ? *{ qualified($$slot, $package) } : $$slot;
    if (defined $handle) {
        my $number = fileno $handle;
        return 1 if defined $number && @rest == 1 && $rest[0] eq "/dev/fd/$number";
        CORE::close($handle) if defined $number && $number >= 0 && $number <= 2;
    }
    if (!$known) { return @rest ? CORE::open($$slot, $mode, @rest) : CORE::open($$slot, $mode) }
    return CORE::open($handle) if !defined $mode;
    my $opened = @rest ? CORE::open($handle, $mode, @rest) : CORE::open($handle, $mode);
    if ($opened && fileno($handle) == 2) { $handle->autoflush(1) }
    return $opened;
}

# Direction and source of a duplication: (">", "STDOUT") of ">&STDOUT".
sub duplication {
    my ($mode, @rest) = @_;
    return if !defined $mode || $mode !~ /\A\s*(\+?(?:<|>>?))&\s*([^=\s].*?)?\s*\z/s;
    return ($1, $rest[0]) if @rest == 1 && !defined $2;
    return ($1, $2) if !@rest && defined $2;
    return;
}

sub qualified {
    my ($name, $package) = @_;
    return $name if ref \$name eq 'GLOB' || $name =~ /::|'/;
    $package = 'main' if $name =~ /\A(?:STDIN|STDOUT|STDERR|ARGV|ARGVOUT)\z/;
    return "${package}::$name";
}

# The descriptor of a handle, given as handle, name or number; what it holds back is written.
sub number_of {
    my ($source, $package) = @_;
    no strict 'refs';
    return undef if !defined $source;
    return $source if !ref $source && $source =~ /\A[0-9]+\z/;
    my $handle = ref $source || ref \$source eq 'GLOB' ? $source : qualified($source, $package);
    my $number = fileno $handle;
    $handle->flush if defined $number;
    return $number;
}

# --- a run --------------------------------------------------------------------------------

sub begin {
    resume() if $keeps;
    utf8::encode($_) for $code, $data, $environment, $place;
    CORE::chdir($place) || CORE::chdir('/workspace') if length $place;
    ($outcome, $status, $exited, $thrown, @trace) = ('n', 0, 0, undef);
    %ENV = map { split /=/, $_, 2 } split /\0/, $environment;
    srand hex $seed;
    @ARGV = ();
    $0 = SCRIPT;
    $^T = time;
    $! = 0;
    @$_ = () for $check_blocks, $init_blocks;
    $SIG{__WARN__} = \&warn_but_of_phases
        if $code =~ /^Belljar::start\(\);$/m && !$SIG{__WARN__};
    $^W = 1 if $code =~ /^#line 1 "main.pl"\n#!.*perl\S*\s.*-\w*w/m;
    no strict 'refs';
    if (length $data_package) {
        my $layer = $code =~ /^\s*use\s+utf8\b/m ? ':utf8' : '';
        CORE::open(*{"${data_package}::DATA"}, "<$layer", \$data);
    }
    *{'CORE::GLOBAL::open'} = \&duplicating_open
        if $code =~ /[<>]&|\bopen\b[\s(]*\\?\*?STD(?:IN|OUT|ERR)\b/;
    return;
}

sub run {
    local $SIG{__DIE__} = \&died;
    my $value = $keeps ? evaluate_kept() : evaluate();
    my $error = $@;
    if (ref $error || length $error) { settle(0, $error) }
    else { settle(1, $wants_value ? $value : undef) }
    return;
}

# Perl warns about CHECK and INIT blocks in what it compiles after its start; they are run below.
sub warn_but_of_phases {
    CORE::warn(@_) if $_[0] !~ /\AToo late to run (?:CHECK|INIT) block at /;
}

# Runs CHECK and INIT blocks, as the first statement of a program that has some.
sub start {
    delete $SIG{__WARN__} if ref $SIG{__WARN__} && $SIG{__WARN__} == \&warn_but_of_phases;
    for my $blocks ($check_blocks, $init_blocks) {
        for my $block (@$blocks) { &{ \$block }() } # the elements are no references
        @$blocks = ();
    }
    return;
}

# Runs $block, an END block.
sub end {
    local $SIG{__DIE__} = \&died;
    $? = $status;
    if (!eval { $block->(); 1 } && $outcome !~ /\Ae/) { settle(0, $@) }
    else { $status = $? & 255 }
    undef $block;
    return;
}

# Lets go of the program's file-scoped variables, which lived until its END blocks were done,
# and settles what the status that they left means.
sub finish {
    if ($outcome !~ /\Ae/) { $outcome = $status ? "x$status" : $exited ? 'n' : $outcome }
    return retain() if $keeps;
    return if !defined &lexicals;
    my (undef, @found) = lexicals();
    while (my (undef, undef, $variable) = splice @found, 0, 3) {
        my $type = builtin::reftype($variable);
        eval {
            # what is tied goes with its variable; emptying it would call its methods
            if ($type eq 'ARRAY') { undef @$variable if !tied @$variable }
            elsif ($type eq 'HASH') { undef %$variable if !tied %$variable }
            elsif ($type ne 'CODE') { undef $$variable if !tied $$variable }
        };
    }
    undef &lexicals;
    return;
}

# Where a program stands that was stopped from outside.
sub stand {
    $outcome = join "\n", map { utf8_of($_) } frames(1);
    utf8::decode($outcome);
    return;
}

BEGIN {
    *CORE::GLOBAL::chdir = \&plain_chdir;
    *CORE::GLOBAL::chmod = \&no_chmod;
    *CORE::GLOBAL::times = \&processor_times;
}

1;
