our ($name, $amount, $desc); format STDOUT_TOP =
Name       Amount Description
---------- ------ --------------------
.
format STDOUT =
@<<<<<<<<< @>>>>> ^<<<<<<<<<<<<<<<<<<~
$name,     $amount, $desc
                  ^<<<<<<<<<<<<<<<<<<~~
                  $desc
.
for (['Widget', 5, 'A small widget used for testing purposes'], ['Gadget', 123, 'Short']) { ($name, $amount, $desc) = @$_; write } print "lines left $-\n";
