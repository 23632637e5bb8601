use strict; use warnings;
for my $n (1 .. 30) {
    print $n % 15 == 0 ? "FizzBuzz" : $n % 5 == 0 ? "Buzz" : $n % 3 == 0 ? "Fizz" : $n, "\n";
}
