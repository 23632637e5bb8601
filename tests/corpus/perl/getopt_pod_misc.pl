#!/usr/bin/env perl
use strict; use warnings; use Getopt::Long qw(GetOptionsFromArray :config no_ignore_case bundling); use Pod::Usage; use File::Spec::Functions qw(catfile splitdir rel2abs abs2rel canonpath); use File::Basename; use File::Temp qw(tempfile tempdir); use File::Path qw(make_path remove_tree); use File::Find; use File::Copy qw(copy move); use Text::Wrap qw(wrap fill); use Text::ParseWords; use Text::Abbrev; use Term::ANSIColor; use Storable qw(dclone freeze thaw nstore retrieve); use Carp qw(croak carp cluck confess); use constant { DEBUG => 0, NAMES => ['a', 'b'] }; use constant LIST => (1, 2, 3); use Hash::Util qw(lock_keys unlock_keys lock_hash); use English qw(-no_match_vars); use Env qw(HOME);
my %o = (verbose => 0, list => []); my @args = ('--name=Ann', '-vv', '--list', 'x', '--list=y', '--num', '5', '--def', 'k=v', '--no-flag', 'rest', '--', '--raw'); GetOptionsFromArray(\@args, \%o, 'name|n=s', 'verbose|v+', 'list=s@', 'num=i', 'def=s%', 'flag!', 'help|h') or pod2usage(2); print join(' ', map { my $v = $o{$_}; "$_=" . (ref $v eq 'ARRAY' ? "[@$v]" : ref $v ? join('', %$v) : $v) } sort keys %o), " | @args\n"; { local $SIG{__WARN__} = sub { print "W\n" }; my @bad = ('--nope', '--num', 'abc'); print GetOptionsFromArray(\@bad, 'num=i' => \my $n) ? 'ok' : 'bad', "\n" }
print catfile('a', 'b', 'c.txt'), ' ', join('|', splitdir('/a/b')), ' ', canonpath('a//b/./c/'), ' ', abs2rel('/a/b/c', '/a'), ' ', rel2abs('x', '/r'), "\n"; print basename('/x/y.tar.gz'), ' ', dirname('/x/y.txt'), ' ', join('|', fileparse('/x/y.tar.gz', qr/\.[^.]*/)), "\n"; my $dir = tempdir(CLEANUP => 1); my ($fh, $fn) = tempfile(DIR => $dir, SUFFIX => '.tmp'); print $fh "data\n"; close $fh; print -s $fn, ' ', $fn =~ /\.tmp$/ ? 'tmp' : '', "\n"; make_path("$dir/a/b/c", "$dir/d"); open my $f, '>', "$dir/a/b/f.txt"; print $f 'x'; close $f; copy("$dir/a/b/f.txt", "$dir/d/g.txt") or die; move("$dir/d/g.txt", "$dir/d/h.txt"); my @found; find({ wanted => sub { push @found, $File::Find::name =~ s/^\Q$dir\E//r if -f }, no_chdir => 1 }, $dir); print join(',', sort grep { !/tmp/ } @found), "\n"; remove_tree("$dir/a"); print -e "$dir/a" ? 'still' : 'gone', "\n"; $Text::Wrap::columns = 20; print wrap('* ', '  ', 'The quick brown fox jumps over the lazy dog'), "\n"; print join('|', shellwords(q{one "two three" 'four five' six\ seven})), ' ', join('|', quotewords(',', 0, q{a,"b,c",d})), "\n"; my %a = abbrev qw(list load); print join(',', sort keys %a), "\n"; print colored('red', 'bold red') eq "\e[1;31mred\e[0m" ? "colour\n" : "no\n"; my $deep = { a => [1, { b => 2 }] }; my $copy = dclone $deep; $copy->{a}[1]{b} = 3; print $deep->{a}[1]{b}, thaw(freeze($deep))->{a}[0], "\n"; nstore($deep, 'st'); print retrieve('st')->{a}[1]{b}, "\n"; unlink 'st'; print DEBUG, ' ', NAMES->[1], ' ', (LIST)[1], ' ', scalar(my @l = LIST), ' ', __PACKAGE__->can('DEBUG') ? 'can' : '', "\n"; my %locked = (a => 1); lock_keys %locked; eval { $locked{b} = 1 }; print $@ =~ /disallowed/ ? "locked\n" : $@; unlock_keys %locked; sub lib { croak 'bad arg' } eval { lib() }; print $@; print "$PROGRAM_NAME\n"; { local $EVAL_ERROR = 'e'; print "$@\n" } print $PID > 0 ? "pid\n" : ''; print "@{[ map { sprintf '%s', $_ } sort { $a cmp $b } values %{{ a => 'x', b => 'y' }} ]}\n";
pod2usage(-verbose => 1, -exitval => 3, -message => 'Wrong use') if @args;

__END__

=head1 NAME

prog - does things

=head1 SYNOPSIS

prog [options] file

=head1 OPTIONS

=over 4

=item B<--help>

Shows help.

=back

=cut
