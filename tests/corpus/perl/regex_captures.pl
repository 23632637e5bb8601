use strict; use warnings;
my $log = '2024-03-15 12:34:56 [ERROR] disk full: /dev/sda1';
if ($log =~ /^(?<date>\d{4}-\d\d-\d\d)\s+(?<time>[\d:]+)\s+\[(\w+)\]\s+(.*)$/) {
    print "$+{date}|$+{time}|$3|$4\n"; print "pre[$`] post[$'] match len ", length $&, "\n";
}
my @pairs = 'a=1, b=22, c=333' =~ /(\w)=(\d+)/g; print "@pairs\n";
(my $t = 'hello world') =~ s/(\w+)/\u$1/g; print "$t\n";
my $n = () = 'banana' =~ /a/g; print "$n\n"; print join('|', split /\s*[,;]\s*/, 'x , y;z'), "\n";
my $str = '1234567.891'; 1 while $str =~ s/^(\d+)(\d{3})/$1,$2/; print "$str\n";
print "pos ", pos($log) // 'undef', "\n"; $log =~ /\d/g; print pos $log, "\n";
