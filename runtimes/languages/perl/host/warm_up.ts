/**
 * Programs that run once in each process, so that the interpreter functions which most programs
 * need are compiled before the first program needs them.
 *
 * @module
 */

/** The programs, to run in order, starting from the baseline. */
export const WARM_UP: readonly string[] = [
  "1",
  `use strict; use warnings;
my %count; my @words = map { lc } split /\\W+/, 'The quick brown fox; the lazy dog';
$count{$_}++ for @words;
printf "%-6s %d\\n", $_, $count{$_} for sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
my $text = join ',', grep { /o/ } @words; $text =~ s/o/0/g; warn $text;
open my $file, '>', 'x' or die; print {$file} $text; close $file; unlink 'x';
package Animal { sub new { my ($class, %of) = @_; bless {%of}, $class } sub name { $_[0]{name} } }
my $list = [1, 2.5, 'x', { a => undef }, Animal->new(name => 'Rex')->name];
eval { die { code => 42 } }; eval { die "no\\n" }; sprintf '%s', $@;
$list`,
  "die 'x'",
  "exit 1",
];
