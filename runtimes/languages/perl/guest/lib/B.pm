# The part of B that libraries use: quoted strings, the kind of a scalar's value, and the name of a
# subroutine. By hand: Perl's own B is compiled C, which the engine cannot load. There is no syntax
# tree.
package B;

use strict;
no warnings; # warnings would name lines of this file, which a program does not know
use Carp ();
use Exporter ();
use Scalar::Util ();
use Sub::Util ();

our $VERSION = '1.89';
our @ISA = ('Exporter');
our @EXPORT_OK = qw(
    cstring perlstring svref_2object class
    CVf_ANON SVf_IOK SVf_NOK SVf_POK SVf_ROK SVf_READONLY SVf_UTF8 SVp_IOK SVp_NOK SVp_POK
);

use constant {
    CVf_ANON => 0x80,
    SVf_IOK => 0x100,
    SVf_NOK => 0x200,
    SVf_POK => 0x400,
    SVf_ROK => 0x800,
    SVp_IOK => 0x1000,
    SVp_NOK => 0x2000,
    SVp_POK => 0x4000,
    SVf_READONLY => 0x8000000,
    SVf_UTF8 => 0x20000000,
};

my %ESCAPES = ("\n" => 'n', "\r" => 'r', "\t" => 't', "\a" => 'a', "\b" => 'b', "\f" => 'f');

# A literal of Perl for a string.
sub perlstring {
    my ($text) = @_;
    return '0' if !defined $text;
    if (utf8::is_utf8($text)) {
        return '"' . join('', map { _unicode($_) } split //, $text) . '"';
    }
    return '"' . ($text =~ s/([^ !#%-?A-\[\]-~])/_perl_byte($1)/ger) . '"';
}

sub _unicode {
    my ($character) = @_;
    my $code = ord $character;
    return sprintf '\x{%x}', $code if $code > 255;
    return "\\$character" if $character =~ /["\\\$\@]/;
    return "\\$ESCAPES{$character}" if exists $ESCAPES{$character};
    return $code >= 32 && $code < 127 ? $character : sprintf '\x{%x}', $code;
}

sub _perl_byte {
    my ($byte) = @_;
    return "\\$byte" if $byte =~ /["\\\$\@]/;
    return _byte($byte);
}

sub _byte {
    my ($byte) = @_;
    return "\\$ESCAPES{$byte}" if exists $ESCAPES{$byte};
    return sprintf '\%03o', ord $byte;
}

# A literal of C for the bytes of a string.
sub cstring {
    my ($text) = @_;
    return '0' if !defined $text;
    utf8::encode($text) if utf8::is_utf8($text);
    $text =~ s/(["\\])/\\$1/g;
    $text =~ s/\?\?/\\077?/g;
    return '"' . ($text =~ s/([^ -~])/$1 eq "\x0b" ? '\v' : _byte($1)/ger) . '"';
}

# The object that describes the referent of a reference.
sub svref_2object {
    my ($reference) = @_;
    my $type = Scalar::Util::reftype($reference) // Carp::croak('argument is not a reference');
    my $class = $type eq 'CODE' ? 'B::CV'
        : $type eq 'ARRAY' ? 'B::AV'
        : $type eq 'HASH' ? 'B::HV'
        : $type eq 'GLOB' ? 'B::GV'
        : 'B::SV';
    return bless { referent => $reference }, $class eq 'B::SV' ? _scalar_class($reference) : $class;
}

sub _scalar_class {
    my $flags = _flags($_[0]);
    return 'B::IV' if $flags & SVf_ROK;
    if ($flags & SVf_POK) {
        return $flags & SVf_NOK ? 'B::PVNV' : $flags & SVf_IOK ? 'B::PVIV' : 'B::PV';
    }
    return $flags & SVf_NOK ? 'B::NV' : $flags & SVf_IOK ? 'B::IV' : 'B::NULL';
}

# The flags of a scalar, as far as Perl code can know them.
sub _flags {
    my ($reference) = @_;
    my $flags = &Internals::SvREADONLY($reference) ? SVf_READONLY : 0;
    return $flags if !defined $$reference;
    return $flags | SVf_ROK if ref $$reference;
    my $is_whole = $$reference =~ /\A-?[0-9]+\z/;
    my $number = $is_whole ? SVf_IOK | SVp_IOK : SVf_NOK | SVp_NOK;
    return $flags | $number if builtin::created_as_number($$reference);
    $flags |= SVf_UTF8 if utf8::is_utf8($$reference);
    my $is_dual = builtin::is_bool($$reference) || Scalar::Util::isdual($$reference);
    return $flags | SVf_POK | SVp_POK | ($is_dual ? $number : 0);
}

# The name of an object's class, without `B::`.
sub class { return ref($_[0]) =~ s/\AB:://r }

package B::OBJECT;

package B::SV;
our @ISA = ('B::OBJECT');

sub FLAGS { return B::_flags($_[0]{referent}) }
sub object_2svref { return $_[0]{referent} }
sub ROK { return $_[0]->FLAGS & B::SVf_ROK }
sub POK { return $_[0]->FLAGS & (B::SVf_POK | B::SVp_POK) }

sub SvSTASH {
    my $class = Scalar::Util::blessed($_[0]{referent});
    return defined $class ? bless { name => $class }, 'B::HV' : bless {}, 'B::SPECIAL';
}

package B::NULL;
our @ISA = ('B::SV');

package B::SPECIAL;
our @ISA = ('B::OBJECT');

package B::IV;
our @ISA = ('B::SV');

sub int_value { return ${ $_[0]{referent} } }
sub IV { return int ${ $_[0]{referent} } }
sub IVX { return int ${ $_[0]{referent} } }
sub RV { return B::svref_2object(${ $_[0]{referent} }) }

package B::NV;
our @ISA = ('B::IV');

sub NV { return 0 + ${ $_[0]{referent} } }
sub NVX { return 0 + ${ $_[0]{referent} } }

package B::PV;
our @ISA = ('B::SV');

sub PV { return ${ $_[0]{referent} } }
sub PVX { return ${ $_[0]{referent} } }
sub as_string { return ${ $_[0]{referent} } }
sub CUR { return length ${ $_[0]{referent} } }

package B::PVIV;
our @ISA = ('B::PV', 'B::IV');

package B::PVNV;
our @ISA = ('B::PV', 'B::NV');

package B::AV;
our @ISA = ('B::SV');

sub FLAGS { return 0 }
sub FILL { return $#{ $_[0]{referent} } }
sub ARRAY { return map { B::svref_2object(\$_) } @{ $_[0]{referent} } }

package B::HV;
our @ISA = ('B::SV');

sub FLAGS { return 0 }
sub NAME { return $_[0]{name} }
sub KEYS { return scalar keys %{ $_[0]{referent} } }

package B::CV;
our @ISA = ('B::SV');

sub FLAGS { return 0 }
sub GV { return bless { full => Sub::Util::subname($_[0]{referent}) }, 'B::GV' }
sub STASH { return $_[0]->GV->STASH }
sub CvFLAGS { return $_[0]->GV->NAME eq '__ANON__' ? B::CVf_ANON : 0 }

package B::GV;
our @ISA = ('B::SV');

sub _full {
    my ($self) = @_;
    return $self->{full} //= *{ $self->{referent} } =~ s/\A\*//r;
}

sub FLAGS { return 0 }
sub NAME { return $_[0]->_full =~ s/\A.*:://sr }
sub SAFENAME { return $_[0]->NAME }
sub STASH { return bless { name => $_[0]->_full =~ s/::[^:]*\z//sr }, 'B::HV' }

1;
