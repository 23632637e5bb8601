use strict;
use warnings;
use mro;
no strict 'refs';
no warnings 'once', 'redefine';

# Random hierarchies: what a call finds is what the order says, in both orders.
my $seed = 42;
sub dice { $seed = ($seed * 1103515245 + 12345) % 2147483648; return int($seed / 65536) % $_[0] }
for my $round (1 .. 40) {
    my @classes = map { "R${round}::C$_" } 0 .. 7;
    for my $i (0 .. $#classes) {
        my $class = $classes[$i];
        my %seen;
        my @parents = $i ? grep { !$seen{$_}++ } map { $classes[dice($i)] } 1 .. dice(4) : ();
        mro::set_mro($class, 'c3') if dice(3);
        eval { @{"${class}::ISA"} = @parents; 1 } or print "$round $class: $@";
        for my $method ('m1', 'm2', 'm3') {
            next if dice(3);
            *{"${class}::$method"} = sub {"$class\::$method"};
        }
    }
    for my $class (@classes) {
        my $order = eval { mro::get_linear_isa($class) };
        print "$round ", mro::get_mro($class), ' ', $order ? "@$order" : "no order: $@", "\n";
        for my $method ('m1', 'm2', 'm3') {
            my $found = $order && $class->can($method);
            print ' ', $found ? $found->() : '-';
            print $order && eval { $class->$method } // '-';
        }
        print ' ', join('', map { $order && $class->isa($_) ? 1 : 0 } @classes), "\n";
    }
}

# What changes is seen at once, below as well.
{ package A1; sub who {'A1'} sub new { bless {}, shift } }
{ package B1; our @ISA = 'A1'; }
{ package C1; our @ISA = 'A1'; sub who {'C1'} }
{ package D1; use mro 'c3'; our @ISA = ('B1', 'C1'); }
{ package E1; our @ISA = 'D1'; }
{ package F1; use mro 'c3'; our @ISA = 'D1'; sub who { 'F1>' . $_[0]->next::method } }
print join(' ', map { $_->who } qw(D1 E1 F1)), "\n";
my $object = D1->new;
*B1::who = sub {'B1'};
print $object->who, ' ', F1->who, "\n";
undef &B1::who;
delete $B1::{who};
print $object->who, "\n";
push @D1::ISA, 'G1';
*G1::only = sub {'only'};
print $object->only, ' ', F1->only, ' ', F1->isa('G1') ? 'is' : 'is not', "\n";
{ local @D1::ISA = ('B1'); print $object->who, "\n" }
print $object->who, "\n";
mro::set_mro('D1', 'dfs');
print $object->who, ' ', E1->who, ' ', F1->who, ' ', mro::get_mro('D1'), "\n";
mro::set_mro('D1', 'c3');
print $object->who, ' ', E1->who, ' ', F1->who, ' ', mro::get_mro('D1'), "\n";
@D1::ISA = ();
print eval { $object->who; 1 } ? 'found' : $@ =~ /^(Can't locate object method "who" via package "D1")/, "\n";

# SUPER, AUTOLOAD, DESTROY and operators are inherited in the same order.
{ package Top; sub new { bless {}, shift } sub m {'Top'} use overload '""' => sub {'top'}, '+' => sub {1}; }
{ package Left; our @ISA = 'Top'; sub AUTOLOAD { our $AUTOLOAD; my $n = $AUTOLOAD =~ s/.*:://r; return if $n eq 'DESTROY'; "left $n" } }
{ package Right; our @ISA = 'Top'; use overload '""' => sub {'right'}; sub m { 'Right>' . $_[0]->SUPER::m } sub DESTROY { print "right gone\n" } }
{ package Both; use mro 'c3'; our @ISA = ('Left', 'Right'); sub m { 'Both>' . $_[0]->SUPER::m } }
{ my $both = Both->new; print "$both ", $both + 1, ' ', $both->m, ' ', $both->nothing, "\n" }

# Orders that cannot be.
{ package X0; package Y0; }
{ package XY; our @ISA = ('X0', 'Y0'); package YX; our @ISA = ('Y0', 'X0'); }
{ package Z0; use mro 'c3'; }
print eval { @Z0::ISA = ('XY', 'YX'); 1 } ? "an order\n" : $@;
{
    local $SIG{__DIE__} = sub { eval { die "inner\n" }; print "handler: ", $_[0] =~ /^(.*)/, "\n" };
    eval { @Z0::ISA = ('YX', 'XY'); Z0->can('x') };
}
print "on\n";
{ package Loop1; use mro 'c3'; our @ISA; package Loop2; use mro 'c3'; our @ISA = 'Loop1'; }
print eval { @Loop1::ISA = 'Loop2'; 1 } ? "no loop\n" : $@ =~ /^(Recursive inheritance detected)/ ? "$1\n" : $@;

# What mro tells.
print mro::get_pkg_gen('NoSuchPackage'), "\n";
{ package Gen; our @ISA; sub a { } }
my $generation = mro::get_pkg_gen('Gen');
*Gen::b = sub {1};
print mro::get_pkg_gen('Gen') - $generation, "\n";
for my $wrong ('C3', '', 'depth') {
    print eval { mro::set_mro('Gen', $wrong); 1 } ? "set\n" : $@;
    print eval { mro::get_linear_isa('Gen', $wrong); 1 } ? "told\n" : $@;
}
print mro::get_mro('Gen'), ' ', mro::get_mro('NoSuchPackage'), "\n";
print join(',', @{ mro::get_linear_isa('NoSuchPackage') }), "\n";
print join(',', sort @{ mro::get_isarev('A1') }), "\n";
