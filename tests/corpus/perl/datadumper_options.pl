use strict;
use warnings;
use Data::Dumper;
$Data::Dumper::Sortkeys = 1;
my $data = { name => 'Ann', list => [1, 'two', 3.5, undef, -4], nested => { deep => { er => [] } }, code => \'ref', num => '007', empty => '' };
print Dumper($data);
{ local $Data::Dumper::Indent = 1; print Dumper([1, { a => 1 }]) }
{ local $Data::Dumper::Terse = 1; local $Data::Dumper::Indent = 0; print Dumper($data), "\n"; print Dumper('scalar', 42, "it's"), "\n" }
{ local $Data::Dumper::Useqq = 1; print Dumper("tab\tnl\n\x01\x{263a}\$x\@y") }
{ local $Data::Dumper::Deepcopy = 1; my $shared = [1]; print Dumper({ a => $shared, b => $shared }) }
my $shared = [1]; print Dumper({ a => $shared, b => $shared });
my $cyclic = { name => 'loop' }; $cyclic->{self} = $cyclic; print Dumper($cyclic);
print Data::Dumper->Dump([[1, 2], { k => 'v' }], [qw(list *hash)]);
{ local $Data::Dumper::Pair = ': '; local $Data::Dumper::Terse = 1; print Dumper({ x => 1 }) }
{ local $Data::Dumper::Quotekeys = 0; print Dumper({ abc => 1, 'a-b' => 2, 10 => 3 }) }
print Dumper(bless({ v => 1 }, 'My::Class'), qr/ab+c/i, \my $undef, sub { 1 });
my $d = Data::Dumper->new([{ b => 1, a => 2 }], ['conf']); $d->Indent(1)->Sortkeys(sub { [reverse sort keys %{ $_[0] }] }); print $d->Dump;
our $VAR1; my $copy = eval Dumper($data); print $copy->{list}[1], "\n";
print Dumper(1e10, 1.0, '1.0', 1e100, 0, '0', -1, '-1', ' 1', 12345678901234567890);
