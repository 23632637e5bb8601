#!/usr/bin/perl
use strict;
use warnings;

package Shape;
use Carp;
my $registry = {};

sub new {
    my $class = shift;
    croak "Shape is abstract" if $class eq 'Shape';
    my $self = bless {}, $class;
    $self->init(@_);
    $registry->{$class}++;
    return $self;
}
sub init     { my ( $self, %args ) = @_; @{$self}{ keys %args } = values %args; return $self }
sub area     { my $self = shift; croak ref($self) . " must implement area" }
sub describe { my $self = shift; sprintf '%s with area %.2f', lc ref $self, $self->area }

sub registry {
    return map { "$_=$registry->{$_}" } sort keys %$registry;
}
our $AUTOLOAD;

sub AUTOLOAD {
    my $self = shift;
    ( my $name = $AUTOLOAD ) =~ s/.*:://;
    return if $name eq 'DESTROY';
    croak "No method $name in " . ( ref $self || $self ) unless ref $self && exists $self->{$name};
    $self->{$name} = shift if @_;
    no strict 'refs';
    *{$AUTOLOAD} = sub { my $s = shift; $s->{$name} = shift if @_; $s->{$name} };
    return $self->{$name};
}

package Circle;
our @ISA = ('Shape');
use constant PI => 4 * atan2( 1, 1 );
sub area { my $self = shift; PI * $self->{radius}**2 }
use overload
  '+'   => \&add,
  '=='  => sub { $_[0]->area == $_[1]->area },
  '<=>' => sub {
    my ( $x, $y, $swap ) = @_;
    my $r = $x->area <=> ( ref $y ? $y->area : $y );
    $swap ? -$r : $r;
  },
  '""'   => sub { "Circle($_[0]{radius})" },
  'bool' => sub { 1 },
  '@{}'  => sub { [ $_[0]{radius} ] if 0; $_[0] },
  'neg'  => sub { Circle->new( radius => -$_[0]{radius} ) },
  '&{}'  => sub {
    my $s = shift;
    sub { "called with @_ on r=$s->{radius}" }
  };

sub add {
    my ( $x, $y ) = @_;
    Circle->new( radius => $x->{radius} + ( ref $y ? $y->{radius} : $y ) );
}

package Square;
use parent -norequire, 'Shape';
sub init    { my ( $self, %a ) = @_; $self->SUPER::init( %a, sides => 4 ); }
sub area    { $_[0]{side}**2 }
sub DESTROY { my $s = shift; print "destroying square $s->{side}\n" }

package Blob;
our @ISA = 'Shape';

package main;
my @shapes = ( Circle->new( radius => 1 ), Square->new( side => 3 ), Circle->new( radius => 2 ) );
print $_->describe,                 "\n" for @shapes;
print "$shapes[0] + $shapes[2] = ", $shapes[0] + $shapes[2], ' ', $shapes[0] + 5, "\n";
print join( ' ', map { "$_" } sort { $b <=> $a } grep { $_->isa('Circle') } @shapes ), "\n";
print $shapes[0]->( 'x', 'y' ), ' ', -$shapes[0], "\n";
print $shapes[1]->side, ' ', $shapes[1]->side(4), ' ', $shapes[1]->side, ' ',
  $shapes[1]->can('side') ? 'generated' : 'no', "\n";

for my $try (
    sub { Shape->new },
    sub { Blob->new->area },
    sub { $shapes[1]->colour },
    sub { Circle->nothing },
    sub {
        my $m = 'area';
        print "dynamic: ", $shapes[1]->$m, "\n";
        my $class = 'Square';
        print ref $class->new( side => 1 ), "\n";
    },
    sub { $shapes[0]->Shape::describe; print Shape::describe( $shapes[1] ), "\n" }
  )
{
    eval { $try->(); 1 } or print "error: $@";
}
print join( ', ', Shape->registry ), "\n";
print Circle->can('area') == \&Circle::area ? "same\n" : "other\n",
  UNIVERSAL::isa( $shapes[1], 'HASH' ) ? "hash\n" : '', ref \$shapes[1], "\n";
my $meth = $shapes[0]->can('describe');
print $shapes[0]->$meth, "\n";
{
    local *Circle::area = sub { 42 };
    no warnings;
    print $shapes[0]->area, "\n"
}
printf "%.3f\n", $shapes[0]->area;
pop @shapes;
undef $shapes[1];
print "after\n";
print "is ", ( Square->isa('Shape') ? '' : 'not ' ), "a shape; DOES ",
  Square->DOES('Shape') ? 1 : 0, "\n";
my %h = ( $shapes[0] => 1 );
print keys %h, "\n";
my $str = "Interp: @{[ $shapes[0]->radius ]}";
print "$str\n";
use Scalar::Util qw(blessed reftype refaddr);
print blessed( $shapes[0] ), ' ', reftype( $shapes[0] ), ' ', defined blessed( {} ) ? 1 : 0, ' ',
  refaddr( $shapes[0] ) == refaddr( $shapes[0] ) ? 'id' : '', "\n";
my $sq   = Square->new( side => 9 );
my $weak = $sq;
Scalar::Util::weaken($weak);
undef $sq;
print defined $weak ? 'alive' : 'dead', "\n";
print "end of main\n";
