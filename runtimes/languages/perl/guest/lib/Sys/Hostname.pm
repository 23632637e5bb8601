# Sys::Hostname: a fixed name, because there is no host. By hand: the engine's own Sys::Hostname
# answers "(none)".
package Sys::Hostname;

use strict;
use warnings;
use Exporter 'import';

our $VERSION = '1.25';
our @EXPORT  = qw(hostname);

sub hostname { return 'localhost' }

1;
