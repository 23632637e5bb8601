# diagnostics without the long explanations, which do not exist here: it only turns warnings on. By
# hand: the engine's own diagnostics dies without perldiag.pod, which the engine lacks.
package diagnostics;

use strict;
use warnings;

our $VERSION = '1.40';

sub import   { $^W = 1; return }
sub unimport { $^W = 0; return }
sub enable   { $^W = 1; return }
sub disable  { $^W = 0; return }

1;
