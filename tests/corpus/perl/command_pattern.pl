use strict; use warnings; my %cmd = (help => sub { 'commands: ' . join ' ', sort keys %{ $_[0] } }, add => sub { my ($c, @n) = @_; my $t = 0; $t += $_ for @n; $t }, echo => sub { shift; "@_" }, rev => sub { scalar reverse $_[1] }); while (my $l = <DATA>) { chomp $l; next if $l =~ /^\s*(#|$)/; my ($c, @a) = split ' ', $l; print "$l => ", exists $cmd{$c} ? $cmd{$c}->(\%cmd, @a) : "unknown command '$c'", "\n" } print "eof at line $.\n";
__DATA__
# comment
help
add 1 2 3

echo hello   world
rev stressed
quit
