use strict; use warnings;
my $file = 'test.txt'; open my $out, '>', $file or die "Cannot open: $!"; print $out "line $_\n" for 1 .. 5; printf $out "%s\n", 'formatted'; close $out;
open my $in, '<', $file or die; while (<$in>) { chomp; print "$.: $_\n" if $. % 2 } close $in;
open my $app, '>>', $file or die; print {$app} "appended\n"; close $app; open $in, '<', $file or die; my @lines = <$in>; close $in; print scalar @lines, " $lines[-1]";
print -e $file ? 'exists' : 'missing', ' ', -s $file, ' ', -f $file ? 'file' : '', ' ', -d '.' ? 'dir' : '', "\n"; rename $file, 'new.txt' or die; print -e $file ? 'still' : 'moved', "\n";
my $content = do { local (@ARGV, $/) = ('new.txt'); <> }; print length $content, "\n"; unlink 'new.txt'; print -e 'new.txt' ? 'there' : 'deleted', "\n"; open my $none, '<', 'nope' or print "error: $!\n";
mkdir 'dir' or die; open $out, '>', "dir/$_" for qw(b a c); opendir my $d, 'dir' or die; print join(' ', sort grep { !/^\./ } readdir $d), "\n"; closedir $d; print join(' ', glob 'dir/*'), "\n"; unlink glob 'dir/*'; rmdir 'dir'; print -d 'dir' ? 'dir' : 'no dir', "\n";
