use strict;
use warnings;
use JSON::PP;
my $json = JSON::PP->new->canonical->pretty;
my $data = decode_json(
'{"name":"Ann","tags":["a","b"],"n":1.50,"big":12345678901234567890,"t":true,"f":false,"u":null,"nest":{"x":{"y":[1,[2,[3]]]}},"uni":"\u00e9\u2603","esc":"a\"b\\c\n"}'
);
print $json->encode($data);
print JSON::PP->new->canonical->encode(
    {
        a => 1,
        b => "2",
        c => 3.5,
        d => JSON::PP::true,
        e => undef,
        f => [],
        g => {},
        h => "1" + 0,
        i => 1 . ""
    }
  ),
  "\n";
print ref $data->{t}, ' ', $data->{t} ? 'T' : 'F', ' ', $data->{f} ? 'T' : 'F', ' ',
  $data->{n} + 1, ' ', length $data->{uni}, "\n";

for my $bad ( '{"a":}', '[1,2', '{"a" 1}', 'nope', '[1,]', '"\ud800"' ) {
    eval { JSON::PP->new->decode($bad); 1 }
      or print "bad: ", $@ =~ s/ at \S+ line \d+\.?\n//r, "\n";
}

sub walk {
    my ( $d, $path ) = @_;
    return map { walk( $d->{$_}, "$path.$_" ) } sort keys %$d if ref $d eq 'HASH';
    return map { walk( $d->[$_], "$path\[$_]" ) } 0 .. $#$d   if ref $d eq 'ARRAY';
    return "$path = " . ( defined $d ? ref $d ? ( $$d ? 'true' : 'false' ) : $d : 'null' );
}
{
    local $SIG{__WARN__} = sub { };
    binmode STDOUT, ':utf8';
    print "$_\n" for walk( $data, '' );
}
my @people = map { { name => $_->[0], age => $_->[1] } } [ 'Zed', 40 ], [ 'Amy', 31 ];
print JSON::PP->new->canonical->indent->space_after->encode(
    [ sort { $a->{age} <=> $b->{age} } @people ] );
print JSON::PP->new->allow_nonref->encode("tab\t\x{1F600}"),
  JSON::PP->new->ascii->allow_nonref->encode("\x{1F600}"), "\n";
