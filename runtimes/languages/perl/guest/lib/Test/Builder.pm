# Test::Builder without its many files: it counts tests, writes TAP on standard output and what went
# wrong on standard error, and reports the verdict at the end. Test::More is built on it. By hand:
# Perl's own is not in the engine. It duplicates file handles, which WASI cannot do. It has one plan
# per process, so a context could test only once. It takes four times the fuel for each test.
package Test::Builder;

use strict;
use warnings;
use Carp ();
use Test::Builder::Comparisons ();

our $VERSION = '1.302210';
our $Level   = 1;

# The state of a file of tests or, while one runs, of a subtest.
our %state;

my $only = bless {}, __PACKAGE__;

sub new    { return $only }
sub create { return $only }

sub _fresh {
    my (%more) = @_;
    return (count => 0, failed => 0, planned => undef, no_plan => 0, done => 0, over => 0, indent => '',
        details => [], out => \*STDOUT, err => \*STDERR, todo => \*STDOUT, %more);
}
%state = _fresh();

# Called before any output: the verdict is reported at the end of a program. In a context, tests
# without a plan continue in the next run; after a verdict, the next run starts its own tests.
sub _begin {
    %state = _fresh() if $state{over};
    $state{watched} ||= eval 'END { Test::Builder::_finish() } 1' || die $@;
    return;
}

sub reset { %state = _fresh(watched => $state{watched}); return }

# --- output -------------------------------------------------------------------------------

sub _print {
    my ($name, $text) = @_;
    $text =~ s/^/$state{indent}/mg if length $state{indent};
    local ($\, $,);
    print { $state{$name} } $text;
    return;
}

sub _comment {
    my ($name, @parts) = @_;
    my $text = join '', map { $_ // 'undef' } @parts;
    return 0 if $text eq '';
    $text =~ s/\n\z//;
    $text =~ s/^/# /mg;
    _print($name, "$text\n");
    return 0;
}

sub diag { my ($self, @parts) = @_; return _comment($self->in_todo ? 'todo' : 'err', @parts) }
sub note { shift; return _comment('out', @_) }

sub explain {
    my ($self, @values) = @_;
    require Data::Dumper;
    return map {
        ref $_ ? Data::Dumper->new([$_])->Indent(1)->Sortkeys(1)->Terse(1)->Dump : $_
    } @values;
}

sub output         { return _handle('out',  @_) }
sub failure_output { return _handle('err',  @_) }
sub todo_output    { return _handle('todo', @_) }
sub reset_outputs  { @state{qw(out err todo)} = (\*STDOUT, \*STDERR, \*STDOUT); return }

sub _handle {
    my ($name, $self, $target) = @_;
    if (defined $target) {
        my $handle = ref $target eq 'SCALAR' || !ref $target ? undef : $target;
        if (!$handle) {
            open $handle, '>', $target or Carp::croak("Can't open test output log $target: $!");
            $handle->autoflush(1);
        }
        $state{$name} = $handle;
    }
    return $state{$name};
}

# --- who asked ----------------------------------------------------------------------------

# The frame of the test: the call of the function that called this class, or a frame further out by
# $Level. Test::More's functions count as part of this class.
sub caller {
    my @frame;
    my ($level, $further) = (0, $Level);
    my $is_inside = 1;
    while (my ($package, $file, $line) = CORE::caller $level++) {
        last if $file eq 'belljar:driver' || !$line;
        if ($package =~ /\ATest::(?:More|Builder|Simple)\z/) {
            $further = $Level - 1 if $is_inside && $package ne 'Test::Builder';
            next;
        }
        $is_inside = 0;
        @frame = ($package, $file, $line);
        last if $further-- <= 0;
    }
    return wantarray ? @frame ? @frame : ('main', 'unknown', 0) : $frame[0];
}

sub level { $Level = $_[1] if @_ > 1; return $Level }

# The package's $TODO, which a block of tests can set.
sub find_TODO {
    my $level = 0;
    while (my ($package, $file) = CORE::caller $level++) {
        next if $package =~ /\ATest::(?:More|Builder|Simple)\z/;
        last if $file eq 'belljar:driver';
        no strict 'refs';
        my $why = ${"${package}::TODO"};
        return $why if defined $why && $why ne '';
    }
    return undef;
}

sub todo       { return $state{todo_why} // find_TODO() // '' }
sub in_todo    { return $state{within_todo} || todo() ne '' ? 1 : 0 }
sub todo_start { my ($self, $why) = @_; $state{todo_why} = $why // ''; return }
sub todo_end   { delete $state{todo_why}; return }

# --- plan ---------------------------------------------------------------------------------

sub plan {
    my ($self, $kind, $value) = @_;
    return 0 if !$kind;
    _begin();
    Carp::croak('You tried to plan twice') if defined $state{planned} || $state{no_plan};
    if ($kind eq 'no_plan') { return $state{no_plan} = 1 }
    if ($kind eq 'skip_all') { return $self->skip_all($value) }
    Carp::croak("plan() doesn't understand $kind") if $kind ne 'tests';
    Carp::croak('Got an undefined number of tests') if !defined $value;
    Carp::croak("You said to run $value tests")     if $value eq '0';
    Carp::croak("Number of tests must be a positive integer.  You gave it '$value'")
        if $value !~ /\A\+?[0-9]+\z/;
    return $self->expected_tests($value);
}

sub expected_tests {
    my ($self, $count) = @_;
    if (defined $count) {
        $state{planned} = $count += 0;
        _print('out', "1..$count\n") if !$state{silent};
    }
    return $state{planned} // 0;
}

sub no_plan   { $state{no_plan} = 1; return 1 }
sub has_plan  { return $state{planned} // ($state{no_plan} ? 'no_plan' : undef) }
sub no_header { $state{silent} = $_[1] if @_ > 1; return $state{silent} }
sub no_ending { $state{unjudged} = $_[1] if @_ > 1; return $state{unjudged} }

sub skip_all {
    my ($self, $why) = @_;
    _begin();
    _print('out', '1..0 # SKIP' . (defined $why && $why ne '' ? " $why" : '') . "\n");
    $state{skipped} = $why // '';
    die bless {}, 'Test::Builder::Skipped' if $state{nested};
    exit 0;
}

sub done_testing {
    my ($self, $count) = @_;
    _begin();
    if ($state{done}) {
        my (undef, $file, $line) = @{ $state{done} };
        $self->ok(0, "done_testing() was already called at $file line $line");
        return;
    }
    $state{done} = [ $self->caller ];
    if (defined $count && defined $state{planned} && $count != $state{planned}) {
        $self->ok(0, "planned to run $state{planned} but done_testing() expects $count");
    }
    $self->expected_tests($count // $state{count}) if !defined $state{planned};
    return 1;
}

# --- the end ------------------------------------------------------------------------------

sub _tests { return "$_[0] test" . ($_[0] == 1 ? '' : 's') }

# The result of a whole file or subtest. Returns the exit status.
sub _verdict {
    my ($self) = @_;
    my ($count, $failed, $planned) = @state{qw(count failed planned)};
    return 254 if !defined $planned;
    return 255 if !$count && !$planned;
    if (!$count) { $self->diag('No tests run!'); return 255 }
    my $differs = $planned != $count;
    $self->diag('Looks like you planned ' . _tests($planned) . " but ran $count.") if $differs;
    $self->diag('Looks like you failed ' . _tests($failed) . " of $count" . ($differs ? ' run.' : '.'))
        if $failed;
    return $failed ? $failed > 254 ? 254 : $failed : $differs ? 255 : 0;
}

sub _finish {
    my $status = $?;
    $only->expected_tests($state{count}) if $state{no_plan} && !defined $state{planned};
    my ($count, $planned) = @state{qw(count planned)};
    if ($Belljar::keeps && !$status && !defined $planned && !defined $state{skipped}) {
        $state{watched} = 0;
        return;
    }
    my $is_silent = $state{over}++ || $state{unjudged} || defined $state{skipped} || $state{bailed};
    return if $is_silent || !$count && !defined $planned && !$status;
    if ($count && !defined $planned) {
        $only->diag('Tests were run but no plan was declared and done_testing() was not seen.');
    }
    if ($status) {
        my $when = $count ? "just after $count" : 'before it could output anything';
        $only->diag("Looks like your test exited with $status $when.") if $count || defined $planned;
    }
    $? = $status || $only->_verdict;
    return;
}

sub is_passing {
    my ($self, $set) = @_;
    $state{failed} ||= 1 if @_ > 1 && !$set;
    return !$state{failed};
}

sub current_test { $state{count} = $_[1] if @_ > 1; return $state{count} }
sub summary      { return map { $_->{ok} } @{ $state{details} } }
sub details      { return @{ $state{details} } }

sub BAIL_OUT {
    my ($self, $why) = @_;
    _print('out', 'Bail out!  ' . ($why // '') . "\n");
    $state{bailed} = 1;
    exit 255;
}

# --- tests --------------------------------------------------------------------------------

sub _record {
    my ($ok, $actual, $name, $type, $why) = @_;
    push @{ $state{details} },
        { ok => $ok ? 1 : 0, actual_ok => $actual ? 1 : 0, name => $name // '', type => $type, reason => $why };
    return;
}

sub ok {
    my ($self, $test, $name) = @_;
    _begin();
    my $todo = $self->todo;
    my $is_todo = $todo ne '' || defined $state{todo_why};
    $state{count}++;
    $self->diag("    You named your test '$name'.  You shouldn't use numbers for your test names.\n    Very confusing.")
        if $name && $name =~ /\A[\d\s]+\z/;
    my $line = ($test ? 'ok' : 'not ok') . " $state{count}";
    if (defined $name) {
        my ($first, $more) = $name =~ /\A([^\n]*)(.*)\z/s;
        $line .= ' - ' . $first =~ s/#/\\#/gr . $more =~ s/\n/\n# /gr;
    }
    $line .= " # TODO $todo" if $is_todo;
    _print('out', "$line\n");
    _record($test || $is_todo, $test, $name, $is_todo ? 'todo' : '', $is_todo ? $todo : '');
    return 1 if $test;
    $state{failed}++ if !$is_todo;
    my (undef, $file, $at) = $self->caller;
    my $kind = $is_todo ? 'Failed (TODO) test' : 'Failed test';
    $self->diag(defined $name ? "  $kind '$name'\n  at $file line $at.\n" : "  $kind at $file line $at.\n");
    return 0;
}

sub skip {
    my ($self, $why, $name) = @_;
    _begin();
    $state{count}++;
    _print('out', "ok $state{count} # skip" . (length($why // '') ? " $why" : '') . "\n");
    _record(1, 1, $name, 'skip', $why // '');
    return 1;
}

sub todo_skip {
    my ($self, $why) = @_;
    _begin();
    $state{count}++;
    _print('out', "not ok $state{count} # TODO & SKIP $why\n");
    _record(1, 0, '', 'todo_skip', $why);
    return 1;
}

sub subtest {
    my ($self, $name, $code, @arguments) = @_;
    _begin();
    $self->note("Subtest: $name");
    my ($passed, $skipped, $error, $is_empty);
    {
        my %outer = %state;
        my $within_todo = $self->in_todo;
        local %state = _fresh(
            indent => "$outer{indent}    ", nested => 1, within_todo => $within_todo,
            watched => 1, todo => $outer{todo}, out => $outer{out}, err => $outer{err},
        );
        my $done = do { local $Level = 1; eval { $code->(@arguments); 1 } };
        $error = $done ? undef : $@;
        $skipped = $state{skipped};
        undef $error if defined $skipped;
        if (!defined $skipped) {
            $self->expected_tests($state{count}) if !defined $state{planned};
            $is_empty = !$state{count};
            $passed = $self->_verdict == 0;
            $self->diag('No tests run!') if $is_empty && !$state{planned};
        }
    }
    return $self->skip($skipped, $name) if defined $skipped;
    my $ok = $self->ok($passed, $is_empty ? qq(No tests run for subtest "$name") : $name);
    die $error if defined $error;
    return $ok;
}

1;
