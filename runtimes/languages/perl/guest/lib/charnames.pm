# charnames: names of characters in a program, and lookups of names at run time. By hand: the
# engine's own charnames needs unicore/Name.pm, which the engine lacks.
package charnames;

use strict;
no warnings; # warnings would name lines of this file, which a program does not know
use _charnames ();

our $VERSION = '1.50';

sub import { shift; return _charnames->import(@_) }

sub viacode {
    my ($code) = @_;
    $code = hex $1 if $code =~ /\A(?:U\+|0x)([0-9a-fA-F]+)\z/;
    return _charnames::name_of($code);
}

sub vianame { return _charnames::code_of($_[0]) }

sub string_vianame {
    my $code = _charnames::code_of($_[0]);
    return defined $code ? chr $code : undef;
}

1;
