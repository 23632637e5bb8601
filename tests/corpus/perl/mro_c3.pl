use strict;
use warnings;
package A; use mro 'c3';
sub new { my $c = shift; return bless { log => [] }, $c }
sub hello { my $self = shift; push @{ $self->{log} }, 'A'; return "A::hello" }
sub foo { 'A::foo' }
package B; use mro 'c3'; our @ISA = ('A');
sub hello { my $self = shift; push @{ $self->{log} }, 'B'; return 'B>' . $self->next::method(@_) }
sub foo { 'B::foo => ' . $_[0]->next::method() }
package C; use mro 'c3'; our @ISA = ('A');
sub hello { my $self = shift; push @{ $self->{log} }, 'C'; return 'C>' . $self->next::method(@_) }
sub only_c { 'only C' }
package D; use mro 'c3'; our @ISA = ('B', 'C');
sub hello { my $self = shift; push @{ $self->{log} }, 'D'; return 'D>' . $self->next::method(@_) }
sub bar { my $n = $_[0]->next::can; defined $n ? 'can' : 'cannot' }
sub maybe { $_[0]->maybe::next::method // 'nothing' }
package main;
my $d = D->new;
print $d->hello, "\n", join(',', @{ $d->{log} }), "\n";
print join(' ', @{ mro::get_linear_isa('D') }), "\n";
print join(' ', @{ mro::get_linear_isa('D', 'dfs') }), "\n";
print mro::get_mro('D'), ' ', mro::get_mro('main'), "\n";
print $d->foo, "\n", $d->only_c, "\n", $d->bar, "\n", $d->maybe, "\n";
print join(',', sort @{ mro::get_isarev('A') }), "\n";
print mro::is_universal('UNIVERSAL') ? 'universal' : 'not', ' ', mro::is_universal('A') ? 'universal' : 'not', "\n";
# diamond where depth first and C3 differ: C's method must win over A's
package E; our @ISA = ('A'); sub other { 1 }
package F; our @ISA = ('A'); sub foo { 'F::foo' }
package G; use mro 'c3'; our @ISA = ('E', 'F');
package H; our @ISA = ('E', 'F');
package main;
print H->foo, "\n";
eval { @X::ISA = ('Y1', 'Y2'); @Y1::ISA = ('P', 'Q'); @Y2::ISA = ('Q', 'P'); mro::set_mro('X', 'c3'); mro::get_linear_isa('X'); 1 } or print $@ =~ /Inconsistent hierarchy/ ? "inconsistent\n" : $@;
eval { $d->A::foo; package D; sub fails { $_[0]->next::method } $d->fails; 1 } or print $@ =~ /No next::method 'fails' found for D/ ? "no next\n" : $@;
