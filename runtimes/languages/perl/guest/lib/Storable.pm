# Storable for an interpreter without it: the same functions over data structures. The frozen format
# is private: only this module can thaw it. By hand: Perl's own Storable is compiled C, which the
# engine does not have.
package Storable;

use strict;
no warnings; # warnings would name lines of this file, which a program does not know
use Carp ();
use Scalar::Util qw(blessed refaddr reftype);
use Exporter 'import';

our $VERSION   = '3.37';
our @EXPORT    = qw(store retrieve);
our @EXPORT_OK = qw(
    nstore store_fd nstore_fd fd_retrieve freeze nfreeze thaw dclone
    retrieve_fd lock_store lock_nstore lock_retrieve
);
our ($canonical, $Deparse, $Eval, $flags) = (0, undef, undef, 0);

use constant MAGIC => "belljar-storable-1\n";

# --- copying ------------------------------------------------------------------------------

sub dclone {
    my ($value) = @_;
    Carp::croak('Not a reference') if !ref $value;
    return _copy($value, {});
}

sub _copy {
    my ($value, $seen) = @_;
    return $value if !ref $value;
    my $address = refaddr $value;
    return $seen->{$address} if exists $seen->{$address};
    my $class = blessed $value;
    return _copy_by_hooks($value, $class, $seen) if defined $class && $class->can('STORABLE_freeze');
    my $type = reftype $value;
    return $seen->{$address} = $value if $type eq 'REGEXP';
    my $copy = _container($type);
    bless $copy, $class if defined $class;
    $seen->{$address} = $copy;
    if    ($type eq 'ARRAY') { @$copy = map { _copy($_, $seen) } @$value }
    elsif ($type eq 'HASH')  { $copy->{$_} = _copy($value->{$_}, $seen) for keys %$value }
    else                     { $$copy = _copy($$value, $seen) }
    return $copy;
}

sub _container {
    my ($type) = @_;
    return [] if $type eq 'ARRAY';
    return {} if $type eq 'HASH';
    return \(my $scalar) if $type eq 'SCALAR' || $type eq 'REF' || $type eq 'LVALUE' || $type eq 'VSTRING';
    Carp::croak("Can't store $type items");
}

sub _copy_by_hooks {
    my ($value, $class, $seen) = @_;
    my ($string, @references) = $value->STORABLE_freeze(1);
    my $copy = _container(reftype $value);
    bless $copy, $class;
    $seen->{ refaddr $value } = $copy;
    return $seen->{ refaddr $value } = $class->STORABLE_attach(1, $string)
        if $class->can('STORABLE_attach');
    $copy->STORABLE_thaw(1, $string, map { _copy($_, $seen) } @references);
    return $copy;
}

# --- freezing ----------------------------------------------------------------------------- A value
# is a letter followed by its content; strings and lists begin with their length.

sub freeze {
    my ($value) = @_;
    Carp::croak('Not a reference') if !ref $value;
    my ($out, $seen) = ('', {});
    _write($value, \$out, $seen);
    return $out;
}
*nfreeze = \&freeze;

sub _string {
    my ($string) = @_;
    my $letter = utf8::is_utf8($string) ? 'u' : 's';
    utf8::encode($string) if $letter eq 'u';
    return $letter . pack('N/a*', $string);
}

sub _write {
    my ($value, $out, $seen) = @_;
    if (!defined $value) { $$out .= 'z'; return }
    if (!ref $value) {
        if (builtin::is_bool($value)) { $$out .= $value ? 'T' : 'F' }
        elsif (builtin::created_as_number($value)) { $$out .= 'n' . pack 'n/a*', _number($value) }
        else { $$out .= _string($value) }
        return;
    }
    my $address = refaddr $value;
    if (defined $seen->{$address}) { $$out .= 'r' . pack 'N', $seen->{$address}; return }
    $seen->{$address} = keys %$seen;
    my $class = blessed $value;
    return _write_by_hooks($value, $class, $out, $seen)
        if defined $class && $class->can('STORABLE_freeze');
    my $type = reftype $value;
    $$out .= 'b' . _string($class) if defined $class && $type ne 'REGEXP';
    if ($type eq 'ARRAY') {
        $$out .= 'A' . pack 'N', scalar @$value;
        _write($_, $out, $seen) for @$value;
    }
    elsif ($type eq 'HASH') {
        my @keys = $canonical ? sort keys %$value : keys %$value;
        $$out .= 'H' . pack 'N', scalar @keys;
        for (@keys) { $$out .= _string($_); _write($value->{$_}, $out, $seen) }
    }
    elsif ($type eq 'REGEXP') { $$out .= 'X' . _string("$value") }
    else { _container($type); $$out .= 'S'; _write($$value, $out, $seen) }
    return;
}

# Enough digits to read the same number back.
sub _number {
    my ($value) = @_;
    my $short = "$value";
    return $short if $short == $value || $value != $value;
    return sprintf '%.17g', $value;
}

sub _write_by_hooks {
    my ($value, $class, $out, $seen) = @_;
    my ($string, @references) = $value->STORABLE_freeze(0);
    $$out .= 'K' . _string($class) . _string(reftype $value) . _string($string);
    $$out .= pack 'N', scalar @references;
    _write($_, $out, $seen) for @references;
    return;
}

sub thaw {
    my ($frozen) = @_;
    my $at = 0;
    my $value = eval { _read(\$frozen, \$at, []) };
    Carp::croak("Storable binary image not readable: $@") if $@;
    return $value;
}

sub _take {
    my ($from, $at, $length) = @_;
    die "it is cut short\n" if $$at + $length > length $$from;
    my $bytes = substr $$from, $$at, $length;
    $$at += $length;
    return $bytes;
}

sub _count { unpack 'N', _take(@_, 4) }

sub _read_string {
    my ($from, $at) = @_;
    my $letter = _take($from, $at, 1);
    my $string = _take($from, $at, _count($from, $at));
    utf8::decode($string) if $letter eq 'u';
    return $string;
}

sub _read {
    my ($from, $at, $seen, $class) = @_;
    my $letter = _take($from, $at, 1);
    return undef if $letter eq 'z';
    return !!1 if $letter eq 'T';
    return !!0 if $letter eq 'F';
    return 0 + _take($from, $at, unpack 'n', _take($from, $at, 2)) if $letter eq 'n';
    if ($letter eq 's' || $letter eq 'u') { $$at--; return _read_string($from, $at) }
    return $seen->[ _count($from, $at) ] if $letter eq 'r';
    return _read($from, $at, $seen, _read_string($from, $at)) if $letter eq 'b';
    return _read_by_hooks($from, $at, $seen) if $letter eq 'K';
    return _read_container($letter, $from, $at, $seen, $class);
}

sub _read_container {
    my ($letter, $from, $at, $seen, $class) = @_;
    if ($letter eq 'X') {
        my $source = _read_string($from, $at);
        push @$seen, qr/$source/;
        return $seen->[-1];
    }
    my $type = { A => 'ARRAY', H => 'HASH', S => 'SCALAR' }->{$letter} or die "it is foreign\n";
    my $value = _container($type);
    bless $value, $class if defined $class;
    push @$seen, $value;
    if ($letter eq 'S') { $$value = _read($from, $at, $seen); return $value }
    my $count = _count($from, $at);
    if ($letter eq 'A') { push @$value, _read($from, $at, $seen) for 1 .. $count }
    else {
        for (1 .. $count) {
            my $key = _read_string($from, $at);
            $value->{$key} = _read($from, $at, $seen);
        }
    }
    return $value;
}

sub _read_by_hooks {
    my ($from, $at, $seen) = @_;
    my ($class, $type, $string) = map { _read_string($from, $at) } 1 .. 3;
    my $value = bless _container($type), $class;
    my $index = push(@$seen, $value) - 1;
    my @references = map { _read($from, $at, $seen) } 1 .. _count($from, $at);
    return $seen->[$index] = $class->STORABLE_attach(0, $string) if $class->can('STORABLE_attach');
    $value->STORABLE_thaw(0, $string, @references);
    return $value;
}

# --- files --------------------------------------------------------------------------------

sub store {
    my ($value, $path) = @_;
    my $frozen = freeze($value);
    open my $file, '>:raw', $path or Carp::croak("can't create $path: $!");
    my $written = print {$file} MAGIC, $frozen;
    close $file or $written = 0;
    Carp::croak("Can't write to $path: $!") if !$written;
    return 1;
}

sub store_fd {
    my ($value, $file) = @_;
    binmode $file;
    return print {$file} MAGIC, freeze($value);
}

sub retrieve {
    my ($path) = @_;
    open my $file, '<:raw', $path or Carp::croak("can't open $path: $!");
    return fd_retrieve($file);
}

sub fd_retrieve {
    my ($file) = @_;
    binmode $file;
    local $/;
    my $content = <$file> // '';
    Carp::croak('File is not a perl storable') if $content !~ s/\A\Q${\MAGIC}\E//;
    return thaw($content);
}

*nstore = *lock_store = *lock_nstore = \&store;
*nstore_fd = \&store_fd;
*lock_retrieve = \&retrieve;
*retrieve_fd = \&fd_retrieve;

sub file_magic { return undef }
sub last_op_in_netorder { return 1 }
sub is_storing    { return 0 }
sub is_retrieving { return 0 }

1;
