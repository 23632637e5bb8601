use strict;
use warnings;
use utf8;
use charnames qw(:full :short);
binmode STDOUT, ':utf8';
print
"\N{GREEK SMALL LETTER ALPHA}\N{SNOWMAN} \N{LATIN SMALL LETTER E WITH ACUTE} \N{U+263A} \N{EM DASH}\N{CYRILLIC CAPITAL LETTER ZHE}\N{LATIN CAPITAL LETTER A WITH DIAERESIS}\n";
print charnames::viacode(0x41), '|', charnames::viacode('U+e9'), '|', charnames::viacode(0x2603),
  '|', charnames::viacode(0x4e2d), '|', charnames::viacode(0x1f600), "\n";
printf "%x %x %s\n", charnames::vianame('GREEK SMALL LETTER OMEGA'),
  charnames::vianame('EURO SIGN'), charnames::string_vianame('CHECK MARK');
print "match\n" if "αβγ" =~ /\N{GREEK SMALL LETTER BETA}/;
print length("\N{PILE OF POO}"), " ", ord "\N{NBSP}", " \N{greek:alpha}\N{greek:Alpha}\n";
print join( ',', map { charnames::viacode(ord) // '?' } split //, 'Zażółć gęślą' ), "\n";
print "\N{LATIN SMALL LETTER A WITH CIRCUMFLEX AND ACUTE} \N{LATIN SMALL LETTER S WITH CARON}\n";
my %h = ( "\N{BULLET}" => 1 );
print keys %h, "\n";
print "a\tb" =~ /\N{TAB}/ ? "tab\n" : '';
print "xy"   =~ /^\N{2}$/ ? "two\n" : '';
