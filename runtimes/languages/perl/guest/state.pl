# The state that one run leaves to the next in the same interpreter: the variables and subroutines of its
# file, the modules that it loaded, its working directory. The state of a single run is reset before the
# next: standard streams, open files, @ARGV, %ENV, $@ and so on. This file also replaces `open` for
# programs that duplicate or reopen their streams.
#
# Each run is a separate file, and a `package` statement ends with its file, as in Perl. Everything else
# continues as in one file: package variables, subroutines and imports, the pragmas (strict, features,
# utf8) in force at the end of a file, and its lexical variables. Lexical variables are declared around
# the next file as aliases of the same variables, so closures of earlier runs and the next file share
# them. A file that declares a name again gets a new variable.

# Code compiled in here sees the remembered variables and no pragma.
sub Belljar::evaluate_within { eval $Belljar::surroundings }

package Belljar;

use strict;
no warnings;

# Sigil and name to a reference, or, of what `our` declared, to the name of its package.
our %kept;
our ($code, $source, $data, $data_package, $environment, $keeps, $place, $number);
our ($surroundings, $evaluated, $failure, $open_file, $end_blocks);
our @duplicates; # named handles that buffer output for another handle's file

my (%modules, $die_handler);

BEGIN {
    $surroundings = undef;
    # the streams' own globs, whatever a program assigns to the names
    *Belljar::input  = *STDIN;
    *Belljar::output = *STDOUT;
    *Belljar::errors = *STDERR;
}

# --- variables of the file ------------------------------------------------------------------

# The pragmas that declarations of kept variables need. A program may have changed @INC and %INC, so
# nothing is loaded through them when a run begins.
our ($own_hints, $own_warnings, %own_features);
{
    use utf8;
    use feature 'refaliasing';
    no warnings;
    BEGIN { ($own_hints, $own_warnings, %own_features) = ($^H, ${^WARNING_BITS}, %^H) }
}

# Declares all kept variables, then compiles the program. The pragmas used for the declarations do
# not reach the program.
use constant BEFORE =>
    "BEGIN { \@Belljar::pragmas = (\$^H, \${^WARNING_BITS});"
    . " (\$^H, \${^WARNING_BITS}) = (\$Belljar::own_hints, \$Belljar::own_warnings);"
    . " %^H = %Belljar::own_features }\n";
use constant AFTER =>
    "BEGIN { (\$^H, \${^WARNING_BITS}) = \@Belljar::pragmas; %^H = () }\n"
    . "\$Belljar::evaluated = eval \$Belljar::code; \$Belljar::failure = \$\@; 1\n";

# Bits of $^H: `refs`, `subs` and `vars`, and that each was said or denied.
use constant STRICTURES => 0x2 | 0x200 | 0x400 | 0x20 | 0x40 | 0x80;

# The pragmas at the end of the last file that compiled: $^H, the warnings, %^H.
my @last_pragmas;

# The program calls this at its start, during compilation, to restore the pragmas from the end of
# the last file. A mark distinguishes the program's frames from those of earlier runs.
sub begin_file {
    ($^H, ${^WARNING_BITS}, %^H) = @last_pragmas if @last_pragmas;
    $^H{+MARK} = $number;
    return;
}

# The program calls this at its end; a file with errors does not get there. Code compiled after the
# call has neither strictures nor warnings. `no strict` would look for its module.
sub end_file {
    @last_pragmas = ($^H, ${^WARNING_BITS}, %^H);
    $^H &= ~STRICTURES;
    ${^WARNING_BITS} = $own_warnings;
    compiled();
    return;
}

sub declaration_of {
    my ($name) = @_;
    my $kept = $kept{$name};
    return "package $kept; our $name; package main;\n" if !ref $kept;
    return "\\my $name = \$Belljar::kept{'$name'};\n"  if $name !~ /\A&(.*)/s;
    return "my sub $1; \\&$1 = \$Belljar::kept{'$name'};\n";
}

# Evaluates the program with the kept variables in scope.
sub evaluate_kept {
    $surroundings = '#line 1 "' . DRIVER . qq("\n) . BEFORE
        . join('', map { declaration_of($_) } sort keys %kept) . AFTER;
    utf8::encode($surroundings);
    ($evaluated, $failure) = ();
    local $SIG{__DIE__} = $die_handler // \&died;
    my $done = evaluate_within();
    $failure = $@ if !$done;
    end_inner_ties();
    $die_handler = $SIG{__DIE__};
    $@ = $failure;
    return $evaluated;
}

sub package_variable {
    my ($package, $name) = @_;
    my ($sigil, $bare) = (substr($name, 0, 1), $package . '::' . substr $name, 1);
    no strict 'refs';
    return $sigil eq '$' ? \$$bare : $sigil eq '@' ? \@$bare : $sigil eq '%' ? \%$bare : \&$bare;
}

# Remembers what the program declared: `lexicals` gives the package that the file ended in, and
# triples of name, package if `our` declared it, and reference. A name that is not visible at the
# end of the file is a package variable there.
sub keep_variables {
    return if !defined &lexicals;
    my ($package, @found) = lexicals();
    while (my ($name, $declared_in, $reference) = splice @found, 0, 3) {
        utf8::decode($name);
        my $address = builtin::refaddr($reference);
        my $seen = package_variable($declared_in || $package, $name);
        if ($address != builtin::refaddr($seen)) { $kept{$name} = $reference }
        elsif ($declared_in) { $kept{$name} = $declared_in }
    }
    undef &lexicals;
    return;
}

# --- modules --------------------------------------------------------------------------------

sub stamp_of {
    my @status = Time::HiRes::stat($_[0]);
    return @status ? CORE::sprintf('%d %.3f', @status[7, 9]) : 'gone';
}

# Remembers the source that each module from the program's files was loaded from.
sub keep_modules {
    my $here = Cwd::getcwd();
    for my $name (keys %INC) {
        my $path = $INC{$name};
        next if !defined $path || ref $path || $path =~ m{\A/(?:zeroperl|belljar)/};
        $path = "$here/$path" if $path !~ m{\A/};
        $modules{$name} //= [$path, stamp_of($path)];
    }
    return;
}

# A module whose file has changed is loaded again when it is next needed.
sub forget_changed_modules {
    for my $name (keys %modules) {
        my ($path, $stamp) = @{ $modules{$name} };
        next if exists $INC{$name} && stamp_of($path) eq $stamp;
        delete $INC{$name};
        delete $modules{$name};
    }
    return;
}

# --- streams and places ---------------------------------------------------------------------

# Ends a tie, whatever its class does in UNTIE.
sub end_tie {
    my ($object, $untie) = @_;
    return if eval { $untie->(); 1 };
    no strict 'refs';
    eval { *{ builtin::blessed($object) . '::UNTIE' } = sub { } };
    eval { $untie->() };
    return;
}

# Ends the ties of variables that the driver reads when the program is done.
sub end_inner_ties {
    end_tie(tied %SIG, sub { untie %SIG }) if tied %SIG;
    end_tie(tied %INC, sub { untie %INC }) if tied %INC;
    return;
}

# Ends the ties of variables that the next run starts with. This is part of the run that made them,
# because a class's UNTIE may run forever.
sub end_outer_ties {
    end_tie(tied %ENV,  sub { untie %ENV })  if tied %ENV;
    end_tie(tied @ARGV, sub { untie @ARGV }) if tied @ARGV;
    end_tie(tied *Belljar::input,  sub { untie *Belljar::input })  if tied *Belljar::input;
    end_tie(tied *Belljar::output, sub { untie *Belljar::output }) if tied *Belljar::output;
    end_tie(tied *Belljar::errors, sub { untie *Belljar::errors }) if tied *Belljar::errors;
    return;
}

sub restore_stream {
    my ($name, $own, $mode, $number) = @_;
    no strict 'refs';
    *{"main::$name"} = *{$own};
    return if (CORE::fileno(*{$own}) // -1) == $number;
    CORE::close(*{$own});
    CORE::open(*{$own}, "$mode&=$number");
    return;
}

sub restore_streams {
    restore_stream('STDIN',  'Belljar::input',  '<', 0);
    restore_stream('STDOUT', 'Belljar::output', '>', 1);
    restore_stream('STDERR', 'Belljar::errors', '>', 2);
    select STDOUT;
    return;
}

my $layers_of = \&PerlIO::get_layers;
my $has_had_input;

# Makes standard input begin anew where a run is given some: what was left in its buffers goes, and
# it is not at its end any more. Its layers stay. The number is held, as a close would free it.
sub renew_input {
    $has_had_input = 1;
    my @layers = grep { !/\A(?:unix|perlio)\z/ } eval { $layers_of->(*Belljar::input) };
    CORE::open(my $hold, '<&=0') or return;
    CORE::close(*Belljar::input);
    CORE::open(*Belljar::input, '<&=0');
    CORE::close($hold);
    eval { binmode *Belljar::input, join '', map { ":$_" } @layers } if @layers;
    return;
}

# Whether $open_file is another handle on the number of standard input: it has a buffer of its own.
# What the diamond reads shares that of STDIN.
sub is_input_alias {
    my $address = builtin::refaddr($open_file);
    for my $known (*Belljar::input{IO}, *main::ARGV{IO}) {
        return 0 if defined $known && builtin::refaddr($known) == $address;
    }
    return 1;
}

# Closes $open_file if it is one of the guest's files or directories.
sub close_file {
    my $number = CORE::fileno($open_file);
    { no warnings; closedir $open_file }
    CORE::close($open_file) if defined $number && ($number > 2 || ($has_had_input && $number == 0 && is_input_alias()));
    undef $open_file;
    return;
}

# `open` for programs that duplicate handles, reopen a standard one or want a process. The C library
# has no `dup`, so the file system does it, and a number is free again once it is closed. The second
# star allows a bare name as the handle to duplicate, as in Perl's own `open`.
sub duplicating_open (*;$*@) {
    my $slot = \shift;
    my ($mode, @rest) = @_;
    my $package = CORE::caller;
    if (defined(my $reading = own_source($mode, @rest))) { ($mode, @rest) = ($reading, \(my $text = $source)) }
    my $is_nameless = @rest == 1 && \$_[1] == \undef; # a file of no name, as only `undef` itself asks
    return no_process() if defined $mode && is_pipe($mode, @rest);
    if (my ($direction, $source) = duplication($mode, @rest)) {
        my $number = number_of($source, $package);
        if (!defined $number) { $! = 9; return }
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
    return CORE::open($known ? $handle : $$slot, $mode, undef) if $is_nameless;
    if (!$known) { return @rest ? CORE::open($$slot, $mode, @rest) : CORE::open($$slot, $mode) }
    return CORE::open($handle) if !defined $mode;
    my $opened = @rest ? CORE::open($handle, $mode, @rest) : CORE::open($handle, $mode);
    if ($opened && fileno($handle) == 2) { $handle->autoflush(1) }
    push @duplicates, \$handle if $opened && @rest == 1 && $rest[0] =~ m{\A/dev/fd/};
    return $opened;
}

# Closes the files that Perl would close at exit, after everything else is done.
sub close_duplicates {
    for my $handle (splice @duplicates) {
        next if tied *$$handle;
        CORE::close(*$$handle) if (CORE::fileno(*$$handle) // -1) > 2;
    }
    return;
}

# How to open the program's text, if the requested file is the program's own, which does not exist
# as a file.
sub own_source {
    my ($mode, @rest) = @_;
    return undef if !length $source || @rest > 1 || !defined $mode;
    my $path = @rest ? $rest[0] : $mode =~ s/\A\s*<?\s*//r =~ s/\s+\z//r;
    return undef if !defined $path || ref $path || $path !~ m{\A(?:\./|/workspace/)?main\.pl\z} || -e $path;
    return (@rest ? $mode : '<') =~ /\A\s*<\s*(:.*)?\z/s ? '<' . ($1 // '') : undef;
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

# The descriptor of a handle, given as handle, name or number; its buffered output is written.
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

# --- around a run ---------------------------------------------------------------------------

# Before a run that continues the state of another.
sub resume {
    restore_streams();
    forget_changed_modules();
    ($@, $?, $^W) = ('', 0, 0);
    $number++;
    return;
}

# After a run whose state another may continue.
sub retain {
    end_outer_ties();
    @duplicates = ();
    keep_variables();
    keep_modules();
    no strict 'refs';
    CORE::close(*{"${data_package}::DATA"}) if length $data_package;
    @$end_blocks = () if $end_blocks;
    undef $_ for $code, $source, $data, $environment, $surroundings, $evaluated, $failure, $end_blocks;
    %ENV   = ();
    $place = Cwd::getcwd() // '';
    utf8::decode($place);
    return;
}

1;
