use strict;
use warnings;
my @subs;
for my $i (1 .. 3) { push @subs, sub { my $x = shift // 0; return $i * 10 + $x } }
print join(' ', map { $_->(1) } @subs), "\n";
sub make_counter { my ($start, $step) = @_; $step ||= 1; my $n = $start; return { inc => sub { $n += $step }, dec => sub { $n -= $step }, get => sub { $n }, reset => sub { $n = $start } } }
my $c1 = make_counter(5); my $c2 = make_counter(10, 5);
$c1->{inc}->() for 1 .. 3; $c2->{dec}->(); print $c1->{get}->(), ' ', $c2->{get}->(), "\n";
$c1->{reset}(); print $c1->{get}(), "\n";
my $compose = sub { my @f = reverse @_; return sub { my @a = @_; @a = $_->(@a) for @f; wantarray ? @a : $a[0] } };
my $inc = sub { $_[0] + 1 }; my $dbl = sub { $_[0] * 2 };
print $compose->($dbl, $inc)->(5), ' ', $compose->($inc, $dbl)->(5), "\n";
sub curry { my $f = shift; my @pre = @_; sub { $f->(@pre, @_) } }
print curry(sub { join '-', @_ }, 1, 2)->(3), "\n";
my $fib; { my %memo; $fib = sub { my $n = shift; $memo{$n} //= $n < 2 ? $n : $fib->($n - 1) + $fib->($n - 2) } }
print $fib->(50), "\n";
my @stack = map { my $n = $_; sub { $n++ } } 1 .. 2; $stack[0]->() for 1 .. 4; print $stack[0]->(), $stack[1]->(), "\n";
{ my $private = 'hidden'; sub peek { $private } sub poke { $private = shift } } poke('changed'); print peek(), "\n";
my $gen = do { my @q = (1 .. 3); sub { shift @q } }; while (defined(my $v = $gen->())) { print "got $v;" } print "\n";
my $str = ''; my $appender = sub { $str .= join '', @_; return __SUB__() } if 0; print defined $appender ? 1 : 0, "\n";
sub apply_n { my ($f, $n, $x) = @_; $x = $f->($x) for 1 .. $n; $x } print apply_n(sub { $_[0] ** 2 }, 3, 2), "\n";
print join(',', sort { $a <=> $b } map { $_->() } map { my $k = $_; sub { $k ** 2 } } 3, 1, 2), "\n";
my ($x, $y) = (10, 20); my $swap = sub { ($x, $y) = ($y, $x) }; $swap->(); print "$x $y\n";
local $_ = 'outer'; for (1 .. 2) { my $f = sub { "in $_" }; print $f->(), ';' } print "$_\n";
