package Account;
use strict; use warnings;
sub new { my ($class, %args) = @_; return bless { owner => $args{owner}, balance => $args{balance} // 0 }, $class }
sub deposit { my ($self, $n) = @_; die "bad amount\n" if $n <= 0; $self->{balance} += $n; return $self }
sub balance { $_[0]{balance} }
package Savings;
our @ISA = ('Account');
sub new { my ($class, %args) = @_; my $self = Account::new($class, %args); $self->{rate} = $args{rate}; $self }
sub interest { my $self = shift; $self->deposit($self->balance * $self->{rate}) }
package main;
my $s = Savings->new(owner => 'Ann', balance => 100, rate => 0.05);
$s->deposit(50)->interest; print ref $s, " ", $s->balance, "\n";
print "isa\n" if $s->isa('Account'); print "can\n" if $s->can('interest'); print Account->can('interest') ? "yes" : "no", "\n";
eval { $s->deposit(-1) }; print "error: $@";
