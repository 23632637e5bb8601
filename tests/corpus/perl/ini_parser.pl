use strict; use warnings; my ($sec, %c) = ('_'); while (<DATA>) { s/^\s+|\s+$//g; next if !length || /^[;#]/; if (/^\[(.+)\]$/) { $sec = $1; next } if (my ($k, $v) = /^([^=]+?)\s*=\s*(.*)$/) { $v =~ s/^"(.*)"$/$1/; $c{$sec}{$k} = $v } else { warn "bad line $.: $_\n" } } for my $s (sort keys %c) { print "[$s]\n"; print "  $_ => '$c{$s}{$_}'\n" for sort keys %{ $c{$s} } }
__DATA__
global = 1
; comment
[database]
host = localhost
port=3306
name = "my db"

[paths]
root = /var/www # not a comment
