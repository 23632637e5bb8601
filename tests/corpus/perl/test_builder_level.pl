# Tests in helpers of one's own, by Test::More and by its builder.
use strict;
use warnings;
use Test::More;

my $builder = Test::More->builder;
my $said    = '';
$builder->failure_output(\$said);

sub near {
    my ($got, $expected, $name) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    return cmp_ok(abs($got - $expected), '<', 0.01, $name);
}

sub is_even {
    my ($number, $name) = @_;
    my $ok = $builder->ok($number % 2 == 0, $name);
    $builder->diag("$number is odd") if !$ok;
    return $ok;
}

print 'returned ', near(1, 1.001, 'near'), "\n";
TODO: {
    local $TODO = 'numbers that differ';
    near(1, 2, 'far');
    is_deeply({ a => 1, c => [] }, { b => 1 }, 'keys');
    is_deeply([1, { x => [1, 2] }], [1, { x => [1, 3] }], 'deep');
    isnt(1, 1, 'isnt');
    cmp_ok(2, '!=', 2, 'not equal');
    is(undef, '', 'undef');
    like('abc', '/B/', 'pattern in a string');
    like('abc', 'b', 'no pattern');
}
print 'returned ', is_even(3, 'odd'), "\n";
$builder->is_eq('a', 'b', 'builder eq');
$builder->is_num(1, 2, 'builder num');
$builder->like('abc', qr/x/, 'builder like');
is(1, 1, "two\nlines # and a mark");
ok(1, '12');
subtest empty => sub { };
subtest skipped => sub { plan skip_all => 'no reason' };
subtest planned => sub { plan tests => 2; ok 1 };
print join(',', $builder->summary), "\n";
print join(' ', map { "$_->{type}/$_->{ok}/$_->{actual_ok}/$_->{name}" } ($builder->details)[1, 3, 8]), "\n";
print $builder->current_test, $builder->is_passing ? ' passing' : ' failing', "\n";
$said =~ s/0x[0-9a-f]+/ADDRESS/g;
print $said;
{ done_testing(); done_testing() }
