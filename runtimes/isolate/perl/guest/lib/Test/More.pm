# Test::More for an interpreter without Test::Builder's many files: TAP on standard output,
# what went wrong on standard error.
package Test::More;

use strict;
use warnings;
use Carp ();
use Scalar::Util qw(blessed reftype refaddr looks_like_number);

our $VERSION = '1.302210';
our $TODO;
our @EXPORT = qw(
    ok use_ok require_ok is isnt like unlike is_deeply cmp_ok skip todo todo_skip pass fail
    eq_array eq_hash eq_set $TODO plan done_testing can_ok isa_ok new_ok diag note explain
    subtest BAIL_OUT
);

our %state;

sub _fresh {
    my (%more) = @_;
    return (count => 0, failed => 0, planned => undef, done => 0, indent => '',
        out => \*STDOUT, err => \*STDERR, %more);
}
%state = _fresh();

sub import {
    my ($class, @plan) = @_;
    my $package = caller;
    no strict 'refs';
    *{"${package}::$_"} = \&{$_} for grep { !/\$/ } @EXPORT;
    *{"${package}::TODO"} = \${"${package}::TODO"};
    $state{watched} //= _watch();
    plan(@plan) if @plan;
}

# The verdict at the end of the program; END blocks cannot be made twice.
sub _watch {
    eval "package Test::More; END { Test::More::_finish() } 1" or die $@;
    return 1;
}

sub builder { require Test::Builder; return Test::Builder->new }

# --- output -------------------------------------------------------------------------------

sub _print {
    my ($name, $text) = @_;
    $text =~ s/^/$state{indent}/mg if length $state{indent};
    local ($\, $,);
    print { $state{$name} } $text;
}

sub _comment {
    my ($name, @parts) = @_;
    my $text = join '', map { $_ // 'undef' } @parts;
    return if $text eq '';
    $text =~ s/\n\z//;
    $text =~ s/^/# /mg;
    _print($name, "$text\n");
    return;
}

sub diag { _comment('err', @_); return !!0 }
sub note { _comment('out', @_); return !!0 }

sub explain {
    require Data::Dumper;
    return map {
        ref $_ ? Data::Dumper->new([$_])->Indent(1)->Sortkeys(1)->Terse(1)->Dump : $_
    } @_;
}

# --- plan ---------------------------------------------------------------------------------

sub plan {
    my ($kind, $value) = @_;
    Carp::croak('You tried to plan twice') if defined $state{planned};
    if ($kind eq 'no_plan') { return 1 }
    if ($kind eq 'skip_all') {
        _print('out', '1..0 # SKIP' . (defined $value ? " $value" : '') . "\n");
        $state{done} = 1;
        die bless {}, 'Test::More::Skipped' if $state{nested};
        exit 0;
    }
    Carp::croak("plan() doesn't understand $kind") if $kind ne 'tests';
    Carp::croak("Number of tests must be a positive integer.  You gave it '$value'")
        if $value !~ /\A[1-9][0-9]*\z/;
    $state{planned} = $value;
    _print('out', "1..$value\n");
    return 1;
}

sub done_testing {
    my ($count) = @_;
    $count //= $state{count};
    if (!defined $state{planned}) { _print('out', "1..$count\n"); $state{planned} = $count }
    $state{done} = 1;
    return 1;
}

sub _plural { "$_[0] test" . ($_[0] == 1 ? '' : 's') }

# What a whole file or subtest comes to; the status to exit with.
sub _verdict {
    my ($count, $failed, $planned) = @state{qw(count failed planned)};
    if (!defined $planned) {
        return 0 if !$count;
        diag("Tests were run but no plan was declared and done_testing() was not seen.");
        return 254;
    }
    if ($planned != $count) {
        diag('Looks like you planned ' . _plural($planned) . " but ran $count.");
    }
    diag('Looks like you failed ' . _plural($failed) . " of $count.") if $failed;
    return $failed > 254 ? 254 : $failed if $failed;
    return $planned == $count ? 0 : 255;
}

sub _finish {
    return if $state{done} && !$state{count} && !defined $state{planned};
    if (!defined $state{planned} && $state{no_plan}) { done_testing() }
    return if !$state{count} && !defined $state{planned};
    if ($?) {
        diag("Looks like your test exited with $? just after $state{count}.");
        return;
    }
    my $status = _verdict();
    $? = $status;
}

# --- assertions ---------------------------------------------------------------------------

# File and line of the test: the first frame outside this file.
sub _place {
    my $level = 0;
    while (my ($package, $file, $line) = caller $level++) {
        return ($file, $line) if $package !~ /\ATest::(?:More|Builder|Simple)\z/;
    }
    return ('unknown', 0);
}

sub _todo {
    my $level = 0;
    while (my ($package) = caller $level++) {
        next if $package =~ /\ATest::(?:More|Builder|Simple)\z/;
        no strict 'refs';
        return ${"${package}::TODO"};
    }
    return undef;
}

sub ok ($;$) {
    my ($test, $name) = @_;
    my $todo = _todo();
    $state{count}++;
    my $line = ($test ? 'ok' : 'not ok') . " $state{count}";
    if (defined $name && $name ne '') {
        (my $shown = $name) =~ s/#/\\#/g;
        $line .= " - $shown";
    }
    $line .= " # TODO $todo" if defined $todo;
    _print('out', "$line\n");
    return !!1 if $test;
    $state{failed}++ if !defined $todo;
    my ($file, $at) = _place();
    my $kind = defined $todo ? 'Failed (TODO) test' : 'Failed test';
    my $where = defined $name && $name ne ''
        ? "  $kind '$name'\n  at $file line $at.\n"
        : "  $kind at $file line $at.\n";
    _comment(defined $todo ? 'out' : 'err', $where);
    return !!0;
}

sub pass (;$) { return ok(1, $_[0]) }
sub fail (;$) { return ok(0, $_[0]) }

sub _quoted { defined $_[0] ? "'$_[0]'" : 'undef' }

sub _failed { _comment(defined _todo() ? 'out' : 'err', @_); return !!0 }

sub is ($$;$) {
    my ($got, $expected, $name) = @_;
    my $same = defined $got && defined $expected ? "$got" eq "$expected"
        : !defined $got && !defined $expected;
    return ok($same, $name) || _failed(
        '         got: ' . _quoted($got) . "\n" . '    expected: ' . _quoted($expected) . "\n");
}

sub isnt ($$;$) {
    my ($got, $other, $name) = @_;
    my $same = defined $got && defined $other ? "$got" eq "$other"
        : !defined $got && !defined $other;
    return ok(!$same, $name) || _failed(
        '         got: ' . _quoted($got) . "\n    expected: anything else\n");
}

sub like ($$;$) {
    my ($got, $pattern, $name) = @_;
    my $matches = defined $got && $got =~ $pattern;
    return ok($matches, $name) || _failed(
        sprintf "%17s %s\n%s%s'\n", '', _quoted($got), "    doesn't match '", $pattern);
}

sub unlike ($$;$) {
    my ($got, $pattern, $name) = @_;
    my $matches = defined $got && $got =~ $pattern;
    return ok(!$matches, $name) || _failed(
        sprintf "%17s %s\n%s%s'\n", '', _quoted($got), "          matches '", $pattern);
}

sub cmp_ok ($$$;$) {
    my ($got, $operator, $expected, $name) = @_;
    Carp::croak("cmp_ok() doesn't know '$operator'") if $operator !~ m{\A(?:[-+*/%.x|&^<>=!~]+|[a-z]+)\z};
    my $true = eval "no warnings; \$got $operator \$expected";
    my $error = $@;
    return 1 if ok($true && !$error, $name);
    return _failed("    '$got'\n        $operator\n    '$expected'\n", $error)
        if $operator !~ /\A(?:==|eq)\z/;
    my $number = $operator eq '==';
    my $show = sub { !defined $_[0] ? 'undef' : $number ? $_[0] : "'$_[0]'" };
    return _failed('         got: ' . $show->($got) . "\n    expected: " . $show->($expected) . "\n");
}

sub can_ok ($@) {
    my ($thing, @methods) = @_;
    my $class = ref $thing || $thing;
    my @missing = grep { !$thing->can($_) } @methods;
    my $name = @methods == 1 ? "$class->can('$methods[0]')" : "$class->can(...)";
    return ok(!@missing, $name)
        || _failed(map { "    $class->can('$_') failed\n" } @missing);
}

sub isa_ok ($;$$) {
    my ($thing, $class, $what) = @_;
    my $kind = !defined $thing ? 'undef' : blessed $thing ? 'object' : ref $thing ? 'reference' : 'class';
    my $is = $kind eq 'reference' ? reftype($thing) eq $class : defined $thing && eval { $thing->isa($class) };
    my $described
        = defined $what ? "'$what'"
        : $kind eq 'object' ? "An object of class '" . ref($thing) . "'"
        : $kind eq 'reference' ? "A reference of type '" . ref($thing) . "'"
        : $kind eq 'undef' ? 'undef' : "The class (or class-like) '$thing'";
    (my $the = $described) =~ s/\AAn? /The /;
    return ok($is, "$described isa '$class'") || _failed("    $the isn't a '$class'\n");
}

sub new_ok {
    my ($class, $arguments, $what) = @_;
    my $object = eval { $class->new(@{ $arguments // [] }) };
    if ($@) { ok(0, "$class->new() died"); _failed("    Error was:  $@"); return }
    isa_ok($object, $class, $what);
    return $object;
}

sub use_ok ($;@) {
    my ($module, @imports) = @_;
    my $package = caller;
    my $version = @imports && $imports[0] =~ /\A\d/ ? shift @imports : '';
    my $done = eval "package $package; use $module $version \@imports; 1";
    my $error = $@;
    return ok($done, "use $module;")
        || _failed("    Tried to use '$module'.\n    Error:  $error");
}

sub require_ok ($) {
    my ($module) = @_;
    my $what = $module =~ /\A\w+(?:::\w+)*\z/ ? $module : "q[$module]";
    my $done = eval "require $what; 1";
    my $error = $@;
    return ok($done, "require $module;")
        || _failed("    Tried to require '$module'.\n    Error:  $error");
}

# --- structures ---------------------------------------------------------------------------

# Where two structures differ first: a list of steps with both values; nothing when they do not.
sub _difference {
    my ($got, $expected, $path) = @_;
    return if !defined $got && !defined $expected;
    return [ $path, $got, $expected ] if !defined $got || !defined $expected;
    return "$got" eq "$expected" ? () : [ $path, $got, $expected ] if !ref $got && !ref $expected;
    return [ $path, $got, $expected ] if !ref $got || !ref $expected;
    return if refaddr($got) == refaddr($expected);
    my $type = reftype $got;
    return [ $path, $got, $expected ] if $type ne reftype $expected;
    my $step = $path =~ /[\]}]\z/ ? $path : "$path->";
    if ($type eq 'ARRAY') {
        for my $i (0 .. ($#$got > $#$expected ? $#$got : $#$expected)) {
            my $here = "${step}[$i]";
            return [ $here, $i > $#$got ? 'Does not exist' : _value($got->[$i]),
                $i > $#$expected ? 'Does not exist' : _value($expected->[$i]), 1 ]
                if $i > $#$got || $i > $#$expected;
            my @found = _difference($got->[$i], $expected->[$i], $here);
            return @found if @found;
        }
        return;
    }
    if ($type eq 'HASH') {
        my %all = (%$got, %$expected);
        for my $key (sort keys %all) {
            my $here = "${step}{$key}";
            return [ $here, exists $got->{$key} ? _value($got->{$key}) : 'Does not exist',
                exists $expected->{$key} ? _value($expected->{$key}) : 'Does not exist', 1 ]
                if !exists $got->{$key} || !exists $expected->{$key};
            my @found = _difference($got->{$key}, $expected->{$key}, $here);
            return @found if @found;
        }
        return;
    }
    return _difference($$got, $$expected, "\${$path}") if $type eq 'SCALAR' || $type eq 'REF';
    return [ $path, $got, $expected ];
}

sub _value { defined $_[0] ? "'$_[0]'" : 'undef' }

sub is_deeply {
    my ($got, $expected, $name) = @_;
    return is($got, $expected, $name) if !ref $got && !ref $expected;
    my ($found) = _difference($got, $expected, '$got');
    return ok(1, $name) if !$found;
    ok(0, $name);
    my ($path, $left, $right, $shown) = @$found;
    ($left, $right) = (_value($left), _value($right)) if !$shown;
    (my $other = $path) =~ s/\$got/\$expected/;
    $path =~ s/\$got/     \$got/;
    my $width = length $path > length $other ? length $path : length $other;
    return _failed("    Structures begin differing at:\n",
        sprintf("    %*s = %s\n", $width, $path, $left), sprintf("    %*s = %s\n", $width, $other, $right));
}

sub eq_array { return !_difference($_[0], $_[1], '$got') }
sub eq_hash  { return !_difference($_[0], $_[1], '$got') }

sub eq_set {
    my ($left, $right) = @_;
    return eq_array([ sort map { $_ // '' } @$left ], [ sort map { $_ // '' } @$right ]);
}

# --- groups -------------------------------------------------------------------------------

sub subtest {
    my ($name, $code, @arguments) = @_;
    note("Subtest: $name");
    my ($status, $passed, $skipped);
    {
        my %outer = %state;
        local %state = _fresh(indent => "$outer{indent}    ", nested => 1, map { $_ => $outer{$_} } qw(out err watched));
        my $done = eval { $code->(@arguments); 1 };
        my $error = $@;
        $skipped = ref $error eq 'Test::More::Skipped';
        die $error if !$done && !$skipped;
        done_testing() if !$skipped && !defined $state{planned};
        $passed = $skipped || ($state{count} && _verdict() == 0);
        diag('No tests run!') if !$state{count} && !$skipped;
    }
    return $skipped ? _skipped('') : ok($passed, $name);
}

sub _skipped {
    my ($why) = @_;
    $state{count}++;
    _print('out', "ok $state{count} # skip" . (length $why ? " $why" : '') . "\n");
    return !!1;
}

sub skip {
    my ($why, $count) = @_;
    _skipped($why // '') for 1 .. $count // 1;
    no warnings 'exiting';
    last SKIP;
}

sub todo_skip {
    my ($why, $count) = @_;
    for (1 .. $count // 1) {
        $state{count}++;
        _print('out', "not ok $state{count} # TODO & SKIP $why\n");
    }
    no warnings 'exiting';
    last TODO;
}

sub BAIL_OUT {
    my ($why) = @_;
    _print('out', "Bail out!  $why\n");
    $state{done} = 1;
    exit 255;
}

1;
