use strict; use warnings;
use Data::Dumper; $Data::Dumper::Sortkeys = 1;
my $d = { list => [1, 'two', 3.5, undef], hash => { a => 1, 'b c' => "it's" }, code => \'ref', num => -5, str => '007' };
print Dumper($d); { local $Data::Dumper::Indent = 1; local $Data::Dumper::Terse = 1; print Dumper([1, { x => [] }]); } print Data::Dumper->new([[1, 2]], ['name'])->Indent(0)->Dump, "\n";
my $cyc = { n => 1 }; $cyc->{self} = $cyc; print Dumper($cyc); local $Data::Dumper::Useqq = 1; print Dumper("tab\tnl\n\x01é");
