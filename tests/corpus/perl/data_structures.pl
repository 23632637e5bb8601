use strict;
use warnings;
use Data::Dumper;
$Data::Dumper::Sortkeys = 1;
$Data::Dumper::Indent   = 1;
my %db = (
    alice => { age => 30, langs => [ 'perl', 'c' ], addr => { city => 'Rome' } },
    bob   => { age => 25, langs => [],              addr => undef }
);
print Dumper( \%db );
{
    local $Data::Dumper::Terse  = 1;
    local $Data::Dumper::Indent = 0;
    print Dumper(
        [ 1, '2', 3.5, -4, '05', 1e10, 'a\'b', undef, \'ref', sub { 1 }, qr/x/i, \\'y' ] ), "\n";
    local $Data::Dumper::Useqq = 1;
    print Dumper("tab\t\x{263a}\n\0"), "\n";
    local $Data::Dumper::Deepcopy = 1;
    my $s = [1];
    print Dumper( { a => $s, b => $s } ), "\n"
}
my $cyc = { name => 'loop' };
$cyc->{self} = $cyc;
print Dumper($cyc);
print Data::Dumper->Dump( [ [ 1, 2 ], { a => 1 } ], [ 'list', '*hash' ] );
my $obj = bless { x => [1] }, 'My::Class';
print Dumper($obj);
local $Data::Dumper::Maxdepth = 2;
print Dumper( { a => [1], b => { c => 1 } } );

sub deep_copy {
    my $d = shift;
        ref $d eq 'HASH'  ? { map { $_ => deep_copy( $d->{$_} ) } keys %$d }
      : ref $d eq 'ARRAY' ? [ map { deep_copy($_) } @$d ]
      :                     $d;
}
my $copy = deep_copy( \%db );
push @{ $copy->{alice}{langs} }, 'new';
print scalar @{ $db{alice}{langs} }, ' ', scalar @{ $copy->{alice}{langs} }, "\n";
for my $n ( sort { $db{$a}{age} <=> $db{$b}{age} } keys %db ) {
    printf "%-6s %3d %s %s\n", $n, $db{$n}{age}, join( '/', @{ $db{$n}{langs} } ) || '-',
      $db{$n}{addr}{city} // 'none';
}
print exists $db{carol} ? 'c' : 'no c', ' ', exists $db{bob}{addr}{city} ? 1 : 0, ' ',
  ref $db{bob}{addr}, "\n";
my @table = ( [qw(id name dept)], [ 1, 'A', 'x' ], [ 2, 'B', 'y' ], [ 3, 'C', 'x' ] );
my ( $head, @rows ) = @table;
my @recs = map { my %r; @r{@$head} = @$_; \%r } @rows;
my %by;
push @{ $by{ $_->{dept} } }, $_->{name} for @recs;
print "$_: @{ $by{$_} }\n" for sort keys %by;
my %tree;

for my $p ( 'a/b/c', 'a/b/d', 'a/e', 'f' ) {
    my $t = \%tree;
    $t = $t->{$_} //= {} for split m{/}, $p;
}

sub show {
    my ( $t, $d ) = @_;
    for ( sort keys %$t ) { print '  ' x $d, "$_\n"; show( $t->{$_}, $d + 1 ) }
}
show( \%tree, 0 );
my %merged = ( %{ { a => 1, b => 2 } }, b => 3 );
print join( ',', map { "$_=$merged{$_}" } sort keys %merged ), "\n";
my ( $r1, $r2 ) = ( \my @arr, \my %hh );
print ref $r1, ref $r2, ref \$r1, ref sub { }, ref qr/x/, ref \*STDOUT, ref \substr( 'a', 0, 1 ),
  ref \pos, "\n";
my @sorted =
  sort { $a->[1] <=> $b->[1] || $b->[0] cmp $a->[0] } ( [ 'x', 2 ], [ 'y', 1 ], [ 'z', 2 ] );
print join( ' ', map { $_->[0] } @sorted ), "\n";
print "array in bool: ", ( @arr ? 'full' : 'empty' ), " hash: ", ( %hh ? 'full' : 'empty' ), ' ',
  scalar(%db) ? 'has' : '', "\n";
my @matrix = map {
    [ map { $_ * $_[0] } 1 .. 3 ]
} 1 .. 2 if 0;
my %count;
$count{$_}++ for split //, 'mississippi';
print
  join( ' ', map { "$_$count{$_}" } sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count ),
  "\n";
my ($k) = grep { $count{$_} == 1 } keys %count;
print "$k\n";
my $str = "@{[%{{a=>1}}]}";
print "$str\n";
my $ref = \@{ [ 1, 2, 3 ] };
print "last $$ref[-1] ${$ref}[0] $#$ref @{$ref}[1,2]\n";
while ( my ( $i, $v ) = each @$ref ) { print "$i:$v " }
print "\n";
print join( ',', map { ref } ( \1, [1], {}, sub { }, \\1 ) ), "\n";
my @copy = @{$ref}[ grep { $_ != 1 } 0 .. $#$ref ];
print "@copy\n";
printf "%s\n", join ',', ( sort { $a <=> $b } values %count )[ 0, -1 ];
delete $db{alice}{langs}[0];
print defined $db{alice}{langs}[0] ? 1 : 0, scalar @{ $db{alice}{langs} }, "\n";
