# Pod::Usage: writes a message and the program's own usage, and ends the program. The usage is
# the text of the SYNOPSIS in its POD, with OPTIONS and ARGUMENTS from verbosity 1, and all of it
# from verbosity 2, as plain text.
# By hand: Perl's own Pod::Usage needs Pod::Text and Pod::Simple, which the engine lacks.
package Pod::Usage;

use strict;
use warnings;
use Exporter 'import';

our $VERSION = '2.03';
our @EXPORT  = qw(pod2usage);

sub _options {
    return @_ == 1 && ref $_[0] ? %{ $_[0] }
        : @_ % 2 == 0           ? @_
        : $_[0] =~ /\A-?\d+\z/  ? (-exitval => $_[0])
        :                         (-message => $_[0]);
}

# Sections of a program's POD, as pairs of title and text.
sub _sections {
    my ($source) = @_;
    my ($in_pod, @sections) = (0);
    for my $paragraph (split /\n(?:[ \t]*\n)+/, $source) {
        if    ($paragraph =~ /\A\s*^=cut\b/m) { $in_pod = 0; next }
        elsif ($paragraph =~ /^=[a-z]/m)      { $in_pod = 1 }
        next if !$in_pod;
        if    ($paragraph =~ /^=head1\s+(.*?)\s*\z/ms) { push @sections, [$1, ''] }
        elsif ($paragraph =~ /^=(?:pod|over|back|begin|end|encoding|for)\b/m) { }
        elsif (@sections) {
            $paragraph =~ s/^=(?:head\d|item)\s+//m;
            1 while $paragraph =~ s/[BIFCLS]<([^<>]*)>/$1/g;
            $paragraph =~ s/^(?=\S)/    /mg;
            $sections[-1][1] .= "$paragraph\n\n";
        }
    }
    return @sections;
}

sub pod2usage {
    my %options = _options(@_);
    my %given   = map { (my $name = lc $_) =~ s/^-?/-/; $name => $options{$_} } keys %options;
    my $status  = $given{-exitval} // $given{-exitstatus} // $given{-exit};
    my $verbose = $given{-verbose};
    $verbose //= defined $status ? ($status =~ /\A\d+\z/ && $status < 2 ? 1 : 0) : 0;
    $status  //= $verbose > 1 ? 1 : 2;
    my $output = $given{-output} // ($status =~ /\D/ || $status < 2 ? \*STDOUT : \*STDERR);
    my $message = $given{-message} // $given{-msg} // '';
    $message =~ s/\n?\z/\n/ if length $message;
    print {$output} $message;
    for my $section (_sections(join "\n", grep { defined } $Belljar::code, $Belljar::data)) {
        my ($title, $text) = @$section;
        if ($title eq 'SYNOPSIS') { $title = 'Usage' if $verbose < 2 }
        elsif ($verbose == 1) { next if $title !~ /\A(?:OPTIONS|ARGUMENTS|OPTIONS AND ARGUMENTS)\z/; $title = ucfirst lc $title }
        elsif ($verbose < 1) { next }
        print {$output} $verbose < 2 ? "$title:\n" : "$title\n", $text;
    }
    exit $status if lc $status ne 'noexit';
    return;
}

1;
