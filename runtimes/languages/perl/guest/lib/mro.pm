# mro for an interpreter without it: method resolution orders, which the host provides, the
# linearizations, and next::method, which follows C3. By hand: Perl's own mro is compiled C, which
# the engine cannot load.
package mro;

use strict;
no warnings; # warnings would name lines of this file, which a program does not know
use Carp ();

our $VERSION = '1.29';

sub import {
    my ($class, $kind) = @_;
    set_mro(scalar caller, $kind) if defined $kind;
}

sub set_mro {
    my ($class, $kind) = @_;
    _check($kind);
    no strict 'refs';
    my $stash = \%{"${class}::"};
    mro::method_changed_in($class); # makes Perl create its record of the class
    Belljar::choose_order($stash, $kind eq 'c3' ? 1 : ())
        or Carp::croak("The order of methods of '$class' cannot be set");
    mro::method_changed_in($class);
    return;
}

sub _check {
    Carp::croak("Invalid mro name: '$_[0]'") if $_[0] ne 'dfs' && $_[0] ne 'c3';
    return;
}

# The table of a package, if there is one.
sub _stash {
    my ($class) = @_;
    my $stash = \%main::;
    for my $part (split /::|'/, $class) {
        return undef if !exists $stash->{"${part}::"};
        $stash = *{ $stash->{"${part}::"} }{HASH} // return undef;
    }
    return $stash;
}

sub get_mro {
    my $stash = _stash($_[0]);
    return $stash && Belljar::order_of($stash) ? 'c3' : 'dfs';
}

sub get_linear_isa {
    my ($class, $kind) = @_;
    $kind //= get_mro($class);
    _check($kind);
    return $kind eq 'c3' ? [ _c3($class, {}) ] : [ _dfs($class, {}) ];
}

sub _parents {
    no strict 'refs';
    return @{"$_[0]::ISA"};
}

sub _dfs {
    my ($class, $seen) = @_;
    return if $seen->{$class}++;
    return ($class, map { _dfs($_, $seen) } _parents($class));
}

sub _c3 {
    my ($class, $above) = @_;
    Carp::croak("Recursive inheritance detected in package '$class'") if $above->{$class};
    local $above->{$class} = 1;
    my @parents = _parents($class);
    my @sequences = grep { @$_ } (map { [ _c3($_, $above) ] } @parents), [@parents];
    my @order = ($class);
    while (@sequences) {
        my $next;
        for my $candidate (map { $_->[0] } @sequences) {
            next if grep { my $list = $_; grep { $_ eq $candidate } @$list[1 .. $#$list] } @sequences;
            $next = $candidate;
            last;
        }
        if (!defined $next) {
            my $found = join '', map { "\t\t$_,\n" } @order;
            Carp::croak("Inconsistent hierarchy during C3 merge of class '$class':\n\t"
                . "current merge results [\n$found\t]\n\tmerging failed on '$sequences[-1][0]'");
        }
        push @order, $next;
        shift @$_ for grep { $_->[0] eq $next } @sequences;
        @sequences = grep { @$_ } @sequences;
    }
    return @order;
}

sub is_universal { return grep { $_ eq $_[0] } _dfs('UNIVERSAL', {}) }

# Classes whose linearization contains the class, found by searching the symbol table.
sub get_isarev {
    my ($class) = @_;
    my (@found, %seen);
    my @packages = ('main::');
    while (defined(my $stash = shift @packages)) {
        no strict 'refs';
        next if $seen{ \%$stash }++;
        push @packages, map { $stash eq 'main::' ? $_ : "$stash$_" } grep { /::\z/ && $_ ne 'main::' } keys %$stash;
        my $package = $stash =~ s/::\z//r;
        next if $package eq $class || !@{"${package}::ISA"};
        push @found, $package if grep { $_ eq $class } _dfs($package, {});
    }
    return \@found;
}

sub invalidate_all_method_caches { return }

sub get_pkg_gen {
    my $stash = _stash($_[0]) // return 0;
    return Belljar::changes_of($stash);
}

# The method after the current one, in the order of the object's class.
sub _next {
    my ($self, $required) = @_;
    my ($level, $method) = (2);
    while (my $sub = (caller $level++)[3]) {
        next if $sub eq '(eval)' || $sub =~ /::__ANON__\z/;
        $method = $sub;
        last;
    }
    Carp::croak('next::method/next::can/maybe::next::method must be used in method context')
        if !defined $method;
    my ($package, $name) = $method =~ /\A(.*)::([^:]+)\z/;
    my @order = _c3(ref $self || $self, {});
    shift @order while @order && $order[0] ne $package;
    shift @order;
    no strict 'refs';
    for my $class (@order) { return \&{"${class}::$name"} if defined &{"${class}::$name"} }
    Carp::croak("No next::method '$name' found for " . (ref $self || $self)) if $required;
    return undef;
}

sub next::can { return mro::_next($_[0], 0) }

sub next::method { goto &{ mro::_next($_[0], 1) } }

sub maybe::next::method {
    my $code = mro::_next($_[0], 0) or return;
    goto &$code;
}

1;
