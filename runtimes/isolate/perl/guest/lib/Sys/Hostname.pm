# Sys::Hostname: there is no host.
package Sys::Hostname;

use strict;
use warnings;
use Exporter 'import';

our $VERSION = '1.25';
our @EXPORT  = qw(hostname);

sub hostname { return 'localhost' }

1;
