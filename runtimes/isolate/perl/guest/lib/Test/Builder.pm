# Test::Builder, as far as programs ask Test::More->builder for it.
package Test::Builder;

use strict;
use warnings;
use Test::More ();

our $VERSION = '1.302210';
our $Level   = 1;

my $only = bless {}, __PACKAGE__;

sub new    { return $only }
sub create { return $only }

sub ok        { local $Level = $Level + 1; shift; return Test::More::ok($_[0], $_[1]) }
sub diag      { shift; return Test::More::diag(@_) }
sub note      { shift; return Test::More::note(@_) }
sub plan      { shift; return Test::More::plan(@_) }
sub BAIL_OUT  { shift; return Test::More::BAIL_OUT(@_) }

sub done_testing   { shift; return Test::More::done_testing(@_) }
sub is_passing     { return !$Test::More::state{failed} }
sub current_test   { return $Test::More::state{count} }
sub expected_tests { return $Test::More::state{planned} // 0 }
sub has_plan       { return $Test::More::state{planned} }
sub level          { $Level = $_[1] if @_ > 1; return $Level }

sub output         { return _handle('out', @_) }
sub failure_output { return _handle('err', @_) }
sub todo_output    { return _handle('out', @_) }

sub _handle {
    my ($name, $self, $handle) = @_;
    $Test::More::state{$name} = ref $handle eq 'SCALAR' ? _to_string($handle) : $handle
        if defined $handle;
    return $Test::More::state{$name};
}

sub _to_string {
    my ($target) = @_;
    open my $handle, '>', $target or die "Cannot write to a string: $!";
    $handle->autoflush(1);
    return $handle;
}

1;
