use strict; use warnings;
use Text::ParseWords;
my @rows = map { chomp; [ parse_line(',', 0, $_) ] } <DATA>;
my $header = shift @rows;
for my $row (@rows) {
    my %r; @r{@$header} = @$row;
    print join('; ', map { "$_=$r{$_}" } sort keys %r), "\n";
}
__END__
name,age,city
"Smith, John",42,"New York"
Ann,37,Oslo
