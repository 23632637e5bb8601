use strict; use warnings;
my (@stack, @queue);
push @stack, $_ for 1 .. 5; print "pop ", pop @stack, "\n" while @stack;
push @queue, split //, 'abc'; unshift @queue, 'z'; print "shift ", shift @queue, "\n" while @queue;
my @a = (1 .. 10); my @removed = splice @a, 2, 3, qw(x y); print "@a | @removed\n";
print "last $#a $a[-1] @a[1..3]\n"; my @r = reverse sort { $a cmp $b } @a; print "@r\n";
