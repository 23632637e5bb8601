# The own form of a program's value: what Data::Dumper shows.

package Belljar;

use strict;
no warnings;

# A longer form is cut: a little above the 64 KiB at which the host cuts it.
use constant MAX_FORM => 65_544;
# Levels of references; Data::Dumper recurses on the stack.
use constant MAX_LEVELS => 512;

# An outcome after the value's own form. A value that cannot be dumped has none.
sub with_repr {
    my ($outcome, $value) = @_;
    my $form = eval { dumped($value) } // return $outcome;
    return 'r' . length($form) . ":$form$outcome";
}

# The value as Data::Dumper shows it, whatever the program has set there, in bytes.
sub dumped {
    my ($value) = @_;
    local $SIG{__DIE__};
    local ($Data::Dumper::Indent, $Data::Dumper::Terse, $Data::Dumper::Sortkeys) = (0, 1, 1);
    local ($Data::Dumper::Purity, $Data::Dumper::Useqq, $Data::Dumper::Pad) = (0, 0, '');
    local ($Data::Dumper::Maxdepth, $Data::Dumper::Maxrecurse) = (0, MAX_LEVELS);
    local ($Data::Dumper::Freezer, $Data::Dumper::Toaster, $Data::Dumper::Bless) = ('', '', 'bless');
    local ($Data::Dumper::Pair, $Data::Dumper::Quotekeys, $Data::Dumper::Deepcopy) = (' => ', 1, 0);
    local ($Data::Dumper::Deparse, $Data::Dumper::Sparseseen, $Data::Dumper::Trailingcomma) = (0, 0, 0);
    my $bytes = utf8_of(Data::Dumper->new([$value])->Dump);
    return $bytes if length $bytes <= MAX_FORM;
    return substr($bytes, 0, MAX_FORM) =~ s/[\xc0-\xff][\x80-\xbf]*\z//r;
}

1;
