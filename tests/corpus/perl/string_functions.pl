print length("hello"), " ", uc "abc", " ", lc "ABC", " ", ucfirst "abc", " ", lcfirst "ABC", "\n";
print index("hello world", "o"), " ", index("hello world", "o", 5), " ", rindex("hello", "l"), " ", index("a", "z"), "\n";
print substr("hello", 1, 3), " ", substr("hello", -3), "\n"; my $s = "hello"; substr($s, 0, 1) = "J"; substr($s, -1, 1, "y!"); print "$s\n";
print join("-", split(//, "abc")), " ", join(",", split(/,/, "a,b,,c,,")), " ", scalar(my @x = split(/,/, "a,b,,c,,", -1)), "\n";
print "abc" x 3, " ", "-" x 10, "\n"; print reverse("abc") . "", " ", scalar reverse("abc"), "\n"; print ord("A"), " ", chr(97), "\n";
my $t = "line\n"; chomp $t; chop $t; print "$t\n"; print join(",", map { sprintf "%03d", $_ } 1 .. 3), "\n"; print lc("ÄÖ") eq "ÄÖ" ? "bytes\n" : "chars\n";
print "a" lt "b" ? 1 : 0, " ", "10" == 10.0 ? 1 : 0, " ", "abc" =~ /b/ ? 1 : 0, "\n"; print "repeat: ", join(" ", ("ab") x 3), "\n"; my $str = "x"; $str .= $_ for 1 .. 5; print "$str\n"; print ucfirst(join(" ", map { lc } qw(HELLO WORLD))), "\n"; print "z" . ++(my $v = "az") . " " . ++(my $w = "Zz") . " " . ++(my $q = "a9"), "\n";
