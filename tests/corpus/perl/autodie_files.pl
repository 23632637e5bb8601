use strict;
use warnings;
use autodie;
open( my $out, '>', 'a.txt' );
print $out "line $_\n" for 1 .. 5;
close $out;
open( my $in, '<', 'a.txt' );
my @l = <$in>;
close $in;
print scalar(@l), " $l[-1]";
eval { open( my $f, '<', 'missing.txt' ); 1 } or do {
    my $e = $@;
    print ref $e, "\n";
    print $e->function, ' ', $e->errno, ' ', $e->line, ' ', $e->matches('open') ? 'open' : '', ' ',
      $e->matches(':file') ? 'file' : '', "\n";
    ( my $m = "$e" ) =~ s/ at .* line/ at FILE line/;
    print $m, "\n";
};
eval { unlink 'nothere'; 1 } or print "unlink: ", ( split /\n/, $@ )[0] =~ s/ at .*//r, "\n";
eval { mkdir 'd'; mkdir 'd'; 1 } or print "mkdir: $@" =~ s/ at \S+ line \d+//r, "\n";
eval { rename 'none', 'x'; };
print "rename: ", $@ =~ s/ at \S+ line \d+//r, "\n";
eval { opendir my $d, 'nodir' };
print "opendir: ", $@ =~ s/ at \S+ line \d+//r, "\n";
eval { close STDIN; close STDIN };
print "close: ", $@ =~ s/ at \S+ line \d+//r, "\n";
rmdir 'd';
unlink 'a.txt';
print -e 'a.txt' ? 'still' : 'gone', "\n";
{ no autodie; open( my $f, '<', 'missing' ) or print "quiet: $!\n" }
