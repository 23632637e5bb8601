# Sys::Hostname: there is no host to speak of.
# By hand: the engine's own Sys::Hostname answers "(none)".
package Sys::Hostname;

use strict;
use warnings;
use Exporter 'import';

our $VERSION = '1.25';
our @EXPORT  = qw(hostname);

sub hostname { return 'localhost' }

1;
