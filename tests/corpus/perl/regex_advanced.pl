use strict; use warnings;
my $re = qr/(\((?:[^()]++|(?1))*\))/; print "balanced: $1\n" if 'f(a(b)c)(d' =~ $re;
print join('|', 'aXbXc' =~ /(?<=X)(\w)/g), "\n"; print "foobar" =~ /foo(?!baz)/ ? "ok\n" : "no\n";
my $text = "line1\nline2\nline3"; my @m = $text =~ /^(\w+)$/mg; print scalar @m, "\n";
my $x = 'aaa'; (my $y = $x) =~ tr/a/b/; print "$y ", ($x =~ tr/a//), "\n";
$_ = 'x=1;y=2'; while (/(\w)=(\d)/g) { print "$1->$2 at ", pos, "\n" }
my %h = (name => 'Bob', n => 3); my $tpl = 'Hi {name}, {n} new, {zzz}'; $tpl =~ s/\{(\w+)\}/$h{$1} \/\/ "?"/ge; print "$tpl\n";
print 'abc' =~ s/b/uc($&)/er, "\n"; print "yes\n" if "foo\n" =~ /^foo$/; print "\$1 kept: $1\n" if 'zz9' =~ /(\d)/;
my $p = qr/ (\d+) \s* ( [a-z]+ )  # unit
/xi; print "$1 $2\n" if '42 KB' =~ $p; print join(',', map { sprintf '%s', $_ } split(//, 'abc', 2)), "\n";
