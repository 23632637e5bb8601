use strict; use warnings;
package UpperHash { require Tie::Hash; our @ISA = ('Tie::StdHash'); sub STORE { my ($s, $k, $v) = @_; $s->{uc $k} = $v } sub FETCH { $_[0]{uc $_[1]} } sub EXISTS { exists $_[0]{uc $_[1]} } }
package Counter { sub TIESCALAR { my ($c, $n) = @_; bless \$n, $c } sub FETCH { ${ $_[0] }++ } sub STORE { ${ $_[0] } = $_[1] } sub DESTROY { print "counter gone\n" } }
package Bounded { require Tie::Array; our @ISA = ('Tie::StdArray'); sub STORE { my ($s, $i, $v) = @_; die "too big\n" if $i > 3; $s->[$i] = $v } }
package Shout { sub TIEHANDLE { my $c = shift; my $b = ''; bless \$b, $c } sub PRINT { my $s = shift; $$s .= uc join $, // '', @_; 1 } sub PRINTF { my $s = shift; my $f = shift; $$s .= sprintf $f, @_; 1 } sub READLINE { 'line' } sub CLOSE { 1 } }
package main;
tie my %h, 'UpperHash'; $h{abc} = 1; $h{Def} = 2; print join(',', map { "$_=$h{$_}" } sort keys %h), exists $h{ABC} ? ' yes' : ' no', ' ', scalar(%h) ? 'full' : 'empty', "\n"; delete $h{ABC}; print tied(%h) ? ref tied %h : 'none', "\n";
tie my $c, 'Counter', 5; print "$c $c $c\n"; $c = 10; print $c + $c, "\n"; untie $c; print "untied\n";
tie my @b, 'Bounded'; push @b, 1, 2, 3; eval { $b[4] = 1 }; print $@; print "@b $#b ", join(',', reverse @b), ' ', join(',', splice @b, 0, 1), " @b\n";
tie *FH, 'Shout'; print FH 'hello', ' world'; printf FH '%03d', 7; my $l = <FH>; print ${ tied *FH }, " $l\n"; untie *FH;
use Tie::Scalar; tie my $std, 'Tie::StdScalar', 'init'; print "$std\n"; use Tie::RefHash; tie my %rh, 'Tie::RefHash'; my $r = [1]; $rh{$r} = 'v'; print ref((keys %rh)[0]), "\n";
{ package Rev; sub TIESCALAR { my $x = ''; bless \$x } sub STORE { ${ $_[0] } = reverse $_[1] } sub FETCH { ${ $_[0] } } } tie my $rev, 'Rev'; $rev = 'abc'; print "$rev\n"; { local $SIG{__WARN__} = sub { print "W: $_[0]" }; my @x = (1); my $u; my $y = "a$u"; }
use Tie::File; open my $tf, '>', 't.txt'; print $tf "l1\nl2\nl3\n"; close $tf; tie my @lines, 'Tie::File', 't.txt' or die; print scalar(@lines), " $lines[1]\n"; $lines[1] = 'changed'; push @lines, 'l4'; untie @lines; open $tf, '<', 't.txt'; print <$tf>; close $tf; unlink 't.txt';
