use strict; use warnings;
my $name = 'World'; my %h = (k => 'v'); my @a = (1, 2, 3);
print <<"END"; print <<'END'; print <<~END, "after\n"; print lc <<A . uc <<B;
Hello $name! $h{k} @a[0,1] @{[ scalar @a ]} \$escaped \x41
END
No $interpolation @here \n
END
    indented $a[2]
      more
    END
FIRST
A
second
B
