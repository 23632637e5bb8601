# The tests of Test::Builder that compare values: a failing one reports on standard error what it
# got and what it expected. By hand: see Test::Builder.
package Test::Builder;

use strict;
use warnings;

our $VERSION = '1.302210';

sub _shown { return defined $_[0] ? "'$_[0]'" : 'undef' }

sub _differs {
    my ($self, $got, $expected) = @_;
    $self->diag("         got: $got\n    expected: $expected\n");
    return 0;
}

sub _is_same {
    my ($got, $expected) = @_;
    return !defined $got && !defined $expected if !defined $got || !defined $expected;
    return "$got" eq "$expected";
}

sub is_eq {
    my ($self, $got, $expected, $name) = @_;
    return $self->ok(_is_same($got, $expected), $name) || $self->_differs(_shown($got), _shown($expected));
}

sub isnt_eq {
    my ($self, $got, $other, $name) = @_;
    return $self->ok(!_is_same($got, $other), $name) || $self->_differs(_shown($got), 'anything else');
}

sub is_num {
    my ($self, $got, $expected, $name) = @_;
    no warnings;
    my $same = defined $got && defined $expected ? $got == $expected : !defined $got && !defined $expected;
    return $self->ok($same, $name)
        || $self->_differs(map { defined $_ ? $_ + 0 : 'undef' } $got, $expected);
}

sub isnt_num {
    my ($self, $got, $other, $name) = @_;
    no warnings;
    my $same = defined $got && defined $other ? $got == $other : !defined $got && !defined $other;
    return $self->ok(!$same, $name) || $self->_differs(defined $got ? $got + 0 : 'undef', 'anything else');
}

# A pattern, also one written as a string; undef when the value is not a pattern.
sub maybe_regex {
    my ($self, $pattern) = @_;
    return undef if !defined $pattern;
    return $pattern if ref $pattern && builtin::reftype($pattern) eq 'REGEXP';
    return undef if $pattern !~ m{\A(?:/(.*)/|m([^\w\s])(.*)\g2)([a-z]*)\z}s;
    my ($inner, $flags) = ($1 // $3, $4 =~ tr/msixpn//cdr);
    return length $flags ? "(?$flags:$inner)" : $inner;
}

sub _matches {
    my ($self, $got, $pattern, $name, $wanted) = @_;
    my $usable = $self->maybe_regex($pattern);
    if (!defined $usable) {
        $self->ok(0, $name);
        $self->diag('    ' . _shown($pattern) . " doesn't look much like a regex to me.");
        return 0;
    }
    my $does = defined $got && $got =~ /$usable/ ? 1 : 0;
    return $self->ok($does == $wanted, $name) || do {
        my $verb = $wanted ? "doesn't match" : 'matches';
        $self->diag(CORE::sprintf("%18s%s\n%17s '%s'\n", '', _shown($got), $verb, $pattern));
        0;
    };
}

sub like   { my ($self, @what) = @_; return $self->_matches(@what[0 .. 2], 1) }
sub unlike { my ($self, @what) = @_; return $self->_matches(@what[0 .. 2], 0) }

sub cmp_ok {
    my ($self, $got, $operator, $expected, $name) = @_;
    if ($operator !~ m{\A(?:[-+*/%.x|&^<>=!~]+|[a-z]+)\z} || $operator =~ /\A(?:=|[-+*\/.|&]=)\z/) {
        Carp::croak("$operator is not a valid comparison operator in cmp_ok()");
    }
    my (undef, $file, $line) = $self->caller;
    $file =~ s/["\n]//g;
    my ($true, $error);
    {
        local ($@, $!);
        $true = eval qq(#line $line "(eval in cmp_ok) $file"\nno warnings; \$got $operator \$expected);
        $error = $@;
    }
    my $ok = $self->ok($true, $name);
    if ($error) {
        my $rule = '-' x 36;
        $self->diag("An error occurred while using $operator:\n$rule\n$error\n$rule\n");
    }
    return 1 if $ok;
    no warnings;
    my $show = $operator =~ /=/ ? sub { defined $_[0] ? $_[0] + 0 : 'undef' } : \&_shown;
    if ($operator =~ /\A(?:==|eq)\z/)    { $self->_differs($show->($got), $show->($expected)) }
    elsif ($operator =~ /\A(?:!=|ne)\z/) { $self->_differs($show->($got), 'anything else') }
    else { $self->diag('    ' . _shown($got) . "\n        $operator\n    " . _shown($expected) . "\n") }
    return 0;
}

1;
