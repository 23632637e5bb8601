# Belljar: for programs that say `use Belljar` or import its functions, which the driver defines.
# By hand: it is ours, and nobody else has it.
package Belljar;

use strict;
use warnings;
use Exporter 'import';

our $VERSION   = '1.00';
our @EXPORT_OK = qw(call display tool tools);

1;
