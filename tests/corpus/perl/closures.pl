use strict; use warnings;
sub counter { my $n = shift; return { inc => sub { ++$n }, dec => sub { --$n }, get => sub { $n } } }
my ($x, $y) = (counter(5), counter(10));
$x->{inc}->() for 1 .. 3; $y->{dec}->();
print $x->{get}->(), " ", $y->{get}->(), "\n";
my @subs; for my $i (1 .. 3) { push @subs, sub { $i * $_[0] } } print join(",", map { $_->(10) } @subs), "\n";
my $compose = sub { my @f = reverse @_; sub { my @a = @_; @a = $_->(@a) for @f; wantarray ? @a : $a[0] } };
print $compose->(sub { $_[0] + 1 }, sub { $_[0] * 2 })->(5), "\n";
