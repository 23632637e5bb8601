use strict; use warnings;
our ($name, $price, $qty, $text) = ('', 0, 0, '');
format STDOUT_TOP =
Name       Price  Qty
---------------------
.
format STDOUT =
@<<<<<<<< @##.## @>>>
$name,    $price, $qty
.
for (['Apple', 1.5, 10], ['Banana split', 22.333, 5], ['Fig', 100, 1234]) { ($name, $price, $qty) = @$_; write }
format WRAP =
Text: ^<<<<<<<<<<<<
      $text
~~    ^<<<<<<<<<<<<
      $text
@||||||||||||||@*
'centred',     'multi'
.
$text = 'The quick brown fox jumps over the lazy dog and runs away'; $~ = 'WRAP'; write;
print "lines left: ", $- < 60 ? 'less' : 'all', " format $~ $^\n";
use Carp; { local $^A = ''; formline("@<<< @>>>\n", 'ab', 'cd'); print $^A }
