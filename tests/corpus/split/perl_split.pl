# Of the places in $ENV{PLACES} (offsets into the program in $ENV{PROGRAM}), those where a statement
# ends: what is in front of them compiles by itself. Nothing but BEGIN blocks and `use` runs.
# A program that plans its tests ends with a status of its own; this block is the last to run.
END { $? = 0 }
package Check;
sub compile { eval "package main; no strict; return 1; $_[0]" }
package main;
use utf8;
my $program = $ENV{PROGRAM};
utf8::decode($program);
my @ends;
open my $output, '>&', \*STDOUT;
close STDOUT;
$SIG{__WARN__} = sub { };
for my $place (split /,/, $ENV{PLACES}) {
    my $text = substr($program, 0, $place);
    utf8::encode($text);
    push @ends, $place if Check::compile($text);
}
open STDOUT, '>&', $output;
[map { $_ + 0 } @ends]
