# Test::More, built on Test::Builder: the test functions that programs call. By hand: see
# Test::Builder.
package Test::More;

use strict;
use warnings;
use Carp ();
use Scalar::Util qw(blessed reftype refaddr);
use Test::Builder ();

our $VERSION = '1.302210';
our $TODO;
our @EXPORT = qw(
    ok use_ok require_ok is isnt like unlike is_deeply cmp_ok skip todo_skip pass fail
    eq_array eq_hash eq_set $TODO plan done_testing can_ok isa_ok new_ok diag note explain
    subtest BAIL_OUT
);

my $test = Test::Builder->new;

sub builder { return $test }

# The arguments are a plan and, after `import`, a list of names.
sub import {
    my ($class, @plan) = @_;
    my $package = caller;
    my @names = @EXPORT;
    for my $i (grep { ($plan[$_] // '') eq 'import' } reverse 0 .. $#plan) {
        my (undef, $list) = splice @plan, $i, 2;
        @names = grep { !/\A!/ } @$list;
        if (!@names) {
            my %unwanted = map { substr($_, 1) => 1 } @$list;
            @names = grep { !$unwanted{$_} } @EXPORT;
        }
    }
    no strict 'refs';
    for my $name (@names) {
        if    ($name eq '$TODO')  { *{"${package}::TODO"} = \${"${package}::TODO"} }
        elsif (__PACKAGE__->can($name)) { *{"${package}::$name"} = \&{$name} }
        else { Carp::croak(qq("$name" is not exported by the Test::More module)) }
    }
    $test->plan(@plan) if @plan;
    return;
}

sub plan { return $test->plan(@_) }
sub done_testing { return $test->done_testing(@_) }
sub diag     { return $test->diag(@_) }
sub note     { return $test->note(@_) }
sub explain  { return $test->explain(@_) }
sub BAIL_OUT { return $test->BAIL_OUT(@_) }
sub subtest  { return $test->subtest(@_) }

# --- assertions ---------------------------------------------------------------------------

sub ok ($;$)       { return $test->ok(@_[0, 1]) }
sub pass (;$)      { return $test->ok(1, $_[0]) }
sub fail (;$)      { return $test->ok(0, $_[0]) }
sub is ($$;$)      { return $test->is_eq(@_[0 .. 2]) }
sub isnt ($$;$)    { return $test->isnt_eq(@_[0 .. 2]) }
sub like ($$;$)    { return $test->like(@_[0 .. 2]) }
sub unlike ($$;$)  { return $test->unlike(@_[0 .. 2]) }
sub cmp_ok ($$$;$) { return $test->cmp_ok(@_[0 .. 3]) }

sub _failed { $test->diag(@_); return 0 }

sub can_ok ($@) {
    my ($thing, @methods) = @_;
    my $class = ref $thing || $thing;
    my @missing = grep { !$thing->can($_) } @methods;
    my $name = @methods == 1 ? "$class->can('$methods[0]')" : "$class->can(...)";
    return $test->ok(!@missing, $name)
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
    return $test->ok($is, "$described isa '$class'") || _failed("    $the " . ($kind eq 'undef' ? 'isn\'t defined' : "isn't a '$class'") . "\n");
}

sub new_ok {
    my ($class, $arguments, $what) = @_;
    my $object = eval { $class->new(@{ $arguments // [] }) };
    if ($@) { $test->ok(0, "$class->new() died"); _failed("    Error was:  $@"); return }
    isa_ok($object, $class, $what);
    return $object;
}

sub use_ok ($;@) {
    my ($module, @imports) = @_;
    my $package = caller;
    my $version = @imports && $imports[0] =~ /\A\d/ ? shift @imports : '';
    my $done = eval "package $package; use $module $version \@imports; 1";
    my $error = $@;
    return $test->ok($done, "use $module;")
        || _failed("    Tried to use '$module'.\n    Error:  $error");
}

sub require_ok ($) {
    my ($module) = @_;
    my $what = $module =~ /\A\w+(?:::\w+)*\z/ ? $module : "q[$module]";
    my $done = eval "require $what; 1";
    my $error = $@;
    return $test->ok($done, "require $module;")
        || _failed("    Tried to require '$module'.\n    Error:  $error");
}

# --- structures ---------------------------------------------------------------------------

# The first difference of two structures: a list of steps with both values; empty when they are
# equal.
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
        for my $key (sort keys %{ keys %$got > keys %$expected ? $got : $expected }) {
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

sub _value { return !defined $_[0] ? 'undef' : ref $_[0] ? "$_[0]" : "'$_[0]'" }

sub is_deeply {
    my ($got, $expected, $name) = @_;
    if (@_ != 2 && @_ != 3) {
        Carp::carp("is_deeply() takes two or three args, you gave " . @_ . ".\n"
            . "This usually means you passed an array or hash instead \nof a reference to it");
        return $test->ok(0);
    }
    return $test->is_eq($got, $expected, $name) if !ref $got && !ref $expected;
    my ($found) = _difference($got, $expected, '$got');
    return $test->ok(1, $name) if !$found;
    $test->ok(0, $name);
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

# --- skipped ------------------------------------------------------------------------------

sub skip {
    my ($why, $count) = @_;
    $test->skip($why) for 1 .. $count // 1;
    no warnings 'exiting';
    last SKIP;
}

sub todo_skip {
    my ($why, $count) = @_;
    $test->todo_skip($why) for 1 .. $count // 1;
    no warnings 'exiting';
    last TODO;
}

1;
