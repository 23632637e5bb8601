# The driver: runs a submitted program inside the interpreter and reports the outcome to the host.
# It is loaded once, before the image is taken.
#
# The host sets $Belljar::code, calls Belljar::begin, Belljar::run, Belljar::end for each END block
# and Belljar::finish, and reads $Belljar::outcome: a letter followed by its content.
#   n         no value
#   t<text>   a value as text
#   j<json>   a value as JSON
#             before t and j, if $Belljar::wants_repr is true, the value as Data::Dumper shows it:
#   r<bytes>:<form>
#   e<json>   an error: {name, message, traceback, lineNumber?}
#   x<status> the program ended itself with a status other than 0
# All text is UTF-8. Builtins are called as operators, and variables are accessed through code
# compiled here, so a program cannot change the meaning of this file through the symbol table.
#
# Lines of this file are "belljar:driver" in stack frames, and every frame from the first of them
# outwards is hidden from the program. The program does not cause what is done here with its values,
# so warnings are off here.

package main;

# The program is compiled here: no pragma is on, no lexical is in sight.
sub Belljar::evaluate { eval $Belljar::code }

package Belljar;

use strict;
no warnings;

use constant DRIVER      => 'belljar:driver';
use constant SCRIPT      => 'main.pl';
use constant MAX_DEPTH   => 512;
use constant MAX_FRAMES  => 100;
use constant MAX_TEXT    => 65_536;
use constant MAX_END     => 400;
use constant MAX_NAME    => 1_024;
use constant MARK        => 'Belljar::run';
use constant LIBRARY     => ' at /belljar/lib/';
use constant NO_JSON     => "belljar: no JSON\n";

our ($code, $source, $lines, $environment, $seed, $data, $data_package, $wants_value, $outcome);
our ($check_blocks, $init_blocks);
our $wants_repr; # the host sets it for one run
our $allows_objects; # whether JSON may come from objects: in displays only
our ($block, $status, $exited, $keeps, $place, $number);

my (@trace, $thrown);

# --- text ---------------------------------------------------------------------------------

# Whether what Perl encoded is Unicode: no half of a surrogate pair, nothing above U+10FFFF.
sub is_unicode { return $_[0] !~ /\xed[\xa0-\xbf]|\xf4[\x90-\xbf]|[\xf5-\xff]/ }

# A string as UTF-8: characters encoded, bytes as they are when they are UTF-8 already.
sub utf8_of {
    my $string = $_[0];
    return '' if !defined $string;
    if (utf8::is_utf8($string)) { utf8::encode($string) }
    else {
        my $copy = $string;
        my $is_utf8 = utf8::decode($copy) && (!utf8::is_utf8($copy) || is_unicode($string));
        utf8::encode($string) if !$is_utf8;
    }
    return $string;
}

# Cuts a text to the length that an error shows.
sub cut {
    my ($bytes) = @_;
    return $bytes if length $bytes <= MAX_TEXT;
    return substr($bytes, 0, MAX_TEXT) =~ s/[\xc0-\xff][\x80-\xbf]*\z//r;
}

my %escape = ("\n" => '\n', "\r" => '\r', "\t" => '\t', '"' => '\"', '\\' => '\\\\');

sub json_string { return quoted(utf8_of($_[0])) }

sub quoted {
    my ($bytes) = @_;
    $bytes =~ s/(["\\\x00-\x1f\x7f])/$escape{$1} \/\/ CORE::sprintf('\u%04x', CORE::ord $1)/ge;
    return qq("$bytes");
}

# --- values -------------------------------------------------------------------------------

# A string as JSON; dies with NO_JSON when JSON cannot represent it exactly.
sub exact_json_string {
    my $bytes = utf8_of($_[0]);
    die NO_JSON if utf8::is_utf8($_[0]) && !is_unicode($bytes);
    return quoted($bytes);
}

# A value as JSON; dies with NO_JSON when JSON cannot represent it.
sub json_of {
    my ($value, $depth, $above) = @_;
    return 'null' if !defined $value;
    my $class = ref $value;
    if (!$class) {
        return $value ? 'true' : 'false' if builtin::is_bool($value);
        return exact_json_string($value) if !builtin::created_as_number($value);
        my $digits = "$value";
        die NO_JSON if $digits !~ /\A-?[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?\z/;
        return $digits;
    }
    if ($class eq 'JSON::PP::Boolean') {
        die NO_JSON if builtin::reftype($value) ne 'SCALAR';
        return $$value ? 'true' : 'false';
    }
    my $address = builtin::refaddr($value);
    die NO_JSON if $depth > MAX_DEPTH || $above->{$address};
    local $above->{$address} = 1;
    if ($class eq 'ARRAY') {
        return '[' . join(',', map { json_of($_, $depth + 1, $above) } @$value) . ']';
    }
    if ($class ne 'HASH') {
        die NO_JSON if !$allows_objects;
        return own_json($value, $depth, $above);
    }
    my (@pairs, %seen);
    for my $key (sort keys %$value) {
        my $name = exact_json_string($key);
        die NO_JSON if $seen{$name}++; # bytes and characters that look the same, or a tie
        push @pairs, $name . ':' . json_of($value->{$key}, $depth + 1, $above);
    }
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

# The program's frames, innermost first; driver functions appear as Perl's own. For each frame: its
# text, its line if it is in the program's file, whether that is the file of an earlier run, and
# whether it is after the file's end.
sub frames {
    my ($level, @found) = ($_[0] + 1);
    while (my ($package, $file, $line, $sub, @more) = CORE::caller($level++)) {
        last if !$line || ($file eq DRIVER && @found);
        next if $file eq DRIVER || index(" at $file", LIBRARY) == 0;
        next if $file =~ m{/Carp(?:/Heavy)?\.pm\z};
        if (@found >= MAX_FRAMES) { push @found, ['...']; last }
        my $in_program = $file eq SCRIPT;
        my $mark = $in_program && $keeps ? ($more[6] // {})->{+MARK} : undef; # none at a file's end
        my $is_earlier = defined $mark && $mark ne $number;
        my $is_beyond = $in_program && !$is_earlier && $line > $lines;
        $line = $lines if $is_beyond;
        my $at = "at $file line $line" . ($is_earlier ? ', of an earlier run' : '');
        my $what = $sub eq '(eval)' ? 'eval {...}' : $sub;
        $at = "$what called $at" if @found;
        push @found, [$at, $in_program ? $line : undef, $is_earlier, $is_beyond];
    }
    return @found;
}

# The thrown value, so that a trace can be assigned to it. No reference is held.
sub identity { ref $_[0] ? builtin::refaddr($_[0]) : $_[0] }

# An error in the driver's code is reported at the program's call, as for the C code that it
# replaces.
sub died {
    my ($error) = @_;
    @trace = eval { frames(0) }; # Perl does not report the caller of a format
    if (!ref $error && @trace && index($error, 'belljar') >= 0) {
        $error =~ s{ at (?:/belljar/lib/\S+|belljar:driver) line \d+(?=(?:, <[^>]*> (?:line|chunk) \d+)?\.\n\z)}{ $trace[0][0]};
    }
    if (!ref $error && index($error, "Can't locate ") == 0) {
        my $is_missing = $error =~ s{\A(Can't locate (\S+)\.pm in \@INC \()\Kyou may need to install the \S+ module}{why_absent($2)}e;
        $error =~ s{\(\@INC entries checked: [^)]*\)\K}{' (' . operators_modules(length $error) . ')'}e if $is_missing;
    }
    $thrown = identity($error);
    die $error;
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

# The line of the program's file that a message names.
sub named_line {
    my ($message) = @_;
    my $script = quotemeta SCRIPT;
    return $1 if $message =~ /at $script line (\d+)(?:, <[^>]*> (?:line|chunk) \d+)?\.?$/m;
    return $message =~ /at $script line (\d+)/ ? $1 : undef;
}

# The line of the submitted program that an error is about: the line in its message, or, if that is
# in an earlier program, the innermost line in this one.
sub line_of {
    my ($named, @frames) = @_;
    my ($innermost) = grep { defined $_->[1] && !$_->[2] } @frames;
    my ($meant) = grep { defined $_->[1] && (!defined $named || $_->[1] == $named) } @frames;
    my $is_earlier = defined $named && ($meant ? $meant->[2] : $named > $lines);
    return $named if defined $named && !$is_earlier;
    return $innermost && $innermost->[1];
}

# A message as if the program stood alone: code that the host added before it is hidden, and code
# that the host appended counts as the last line. Only the compiler's messages refer to added code;
# other messages may name lines of earlier, longer programs.
sub within_program {
    my ($message, @frames) = @_;
    my $script = quotemeta SCRIPT;
    $message =~ s/, near "\K(?:[\w:(){};]*\n){0,2}#line 1 "$script"\n\s*//g;
    return $message if $keeps && !(@frames && $frames[0][3]);
    $message =~ s/at $script line (\d+), \Knear "(?:(?!" at | at $script ).)*?\n;"$/$1 > $lines ? 'at EOF' : $&/gems;
    my $aborted = 'Execution of ' . SCRIPT . " aborted due to compilation errors.\n";
    $message =~ s/^BEGIN not safe after errors\b.* at $script line (\d+)\.\n?/$1 > $lines ? $aborted : $&/me;
    $message =~ s/(at $script line )(\d+)/$1 . ($2 > $lines ? $lines : $2)/ge;
    # errors that the compiler kept until the file's end; for a string they lack that final message
    $message .= $aborted
        if @frames && $frames[0][3] && $message =~ /\n\z/ && $message !~ /^(?:\Q$aborted\E|BEGIN )/m;
    return $message;
}

sub describe_error {
    my ($error) = @_;
    local $SIG{__DIE__};
    my $class = builtin::blessed($error) // 'Error';
    my $text = eval { message_of($error) } // 'The error could not be described';
    my @frames = defined $thrown && identity($error) eq $thrown ? @trace : ();
    my $message = cut(within_program(utf8_of(substr $text, 0, MAX_TEXT), @frames));
    my $end = length $text > MAX_TEXT ? utf8_of(substr $text, -MAX_END) : '';
    my $named = named_line("$message\n" . within_program($end, @frames));
    # for a handler of the program's own, only its message is known
    @frames = ['at ' . SCRIPT . " line $named", $named] if !@frames && defined $named;
    my $line = line_of($named, @frames);
    $message =~ s/\n\z//;
    return 'e{"name":' . json_string(substr $class, 0, MAX_NAME) . ',"message":' . quoted($message)
        . ',"traceback":[' . join(',', map { quoted(cut(utf8_of($_->[0]))) } @frames) . ']'
        . (defined $line ? qq(,"lineNumber":$line) : '') . '}';
}

sub settle {
    my ($ok, $value) = @_;
    $outcome = $ok ? eval { describe($value) } // describe_error($@) : describe_error($value);
    $outcome = with_repr($outcome, $value) if $wants_repr && $outcome =~ /\A[jt]/;
    $status = 255 if $outcome =~ /\Ae/;
    utf8::decode($outcome);
}

# --- what a program sees of its surroundings ----------------------------------------------

# `caller` without the frames of this file. It applies to code that is compiled after the image was
# made, and to Carp.
sub visible_caller (;$) {
    my $level = 1 + (@_ ? int($_[0] // 0) : 0);
    my @frame;
    if (CORE::caller(0) eq 'DB') { package DB; @frame = CORE::caller($level) }
    else { @frame = CORE::caller($level) }
    return if !@frame || $frame[1] eq DRIVER || !$frame[2];
    return $frame[0] if !wantarray;
    if ($frame[10]) {
        delete $frame[10]{+MARK};
        undef $frame[10] if !%{ $frame[10] };
    }
    return @_ ? @frame : @frame[0 .. 2];
}

# --- a run --------------------------------------------------------------------------------

sub begin {
    resume() if $keeps;
    utf8::encode($_) for $code, $source, $data, $environment, $place;
    CORE::chdir($place) || CORE::chdir('/workspace') if length $place;
    ($outcome, $status, $exited, $thrown, @trace) = ('n', 0, 0, undef);
    %ENV = map { split /=/, $_, 2 } split /\0/, $environment;
    srand hex $seed;
    @ARGV = ();
    $0 = SCRIPT;
    $^T = time;
    $! = 0;
    @$_ = () for $check_blocks, $init_blocks;
    forget_signals();
    begin_calls();
    step_aside();
    $SIG{__WARN__} = \&compiler_warning
        if ($keeps || $code =~ /^Belljar::start\(\);$/m) && !$SIG{__WARN__};
    $^W = 1 if $code =~ /^#line 1 "main.pl"\n#!.*perl\S*\s.*-\w*w/m;
    no strict 'refs';
    if (length $data_package) {
        my $layer = $code =~ /^\s*use\s+utf8\b/m ? ':utf8' : '';
        CORE::open(*{"${data_package}::DATA"}, "<$layer", \$data);
    }
    *{'CORE::GLOBAL::open'} = \&duplicating_open
        if length $source || $code =~ /[<>]&|\bopen\b[\s(]*\\?\*?STD(?:IN|OUT|ERR)\b/ || names_pipe($code);
    return;
}

sub run {
    local $SIG{__DIE__} = \&died;
    my $value = $keeps ? evaluate_kept() : evaluate();
    my $error = $@;
    end_inner_ties();
    compiled();
    if (ref $error || length $error) { settle(0, $error) }
    else { settle(1, $wants_value ? $value : undef) }
    return;
}

# Perl warns about CHECK and INIT blocks in what it compiles after its start; they are run below.
# In a context a subroutine may have another body than in an earlier run.
sub compiler_warning {
    return if $_[0] =~ /\AToo late to run (?:CHECK|INIT) block at /;
    return if $keeps && $_[0] =~ /\A(?:Constant s|S)ubroutine \S+ redefined at /;
    CORE::warn(@_);
}

# The program is compiled.
sub compiled {
    delete $SIG{__WARN__} if ref $SIG{__WARN__} && $SIG{__WARN__} == \&compiler_warning;
    return;
}

# Runs CHECK and INIT blocks, as the first statement of a program that has some.
sub start {
    compiled();
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
    else { $status = $? }
    undef $block;
    return;
}

# Releases the program's file-scoped variables, which live until its END blocks are done, and
# interprets the final exit status.
sub finish {
    forget_alarm();
    forget_tools();
    $wants_repr = '';
    $status &= 255;
    if ($outcome !~ /\Ae/) { $outcome = $status ? "x$status" : $exited ? 'n' : $outcome }
    return retain() if $keeps;
    eval { close_duplicates() } if @Belljar::duplicates;
    return if !defined &lexicals;
    my (undef, @found) = lexicals();
    while (my (undef, undef, $variable) = splice @found, 0, 3) {
        my $type = builtin::reftype($variable);
        eval {
            # a tied object is released with its variable; emptying the variable would call its
            # methods
            if ($type eq 'ARRAY') { undef @$variable if !tied @$variable }
            elsif ($type eq 'HASH') { undef %$variable if !tied %$variable }
            elsif ($type ne 'CODE') { undef $$variable if !tied $$variable }
        };
    }
    undef &lexicals;
    return;
}

# The position of a program that was stopped from outside.
sub stand {
    $outcome = join "\n", map { utf8_of($_->[0]) } frames(1);
    utf8::decode($outcome);
    return;
}

1;
