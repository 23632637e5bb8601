# Errno: the numbers of errors by name, and the hash %!. The host knows the numbers.
# By hand: the engine's own Errno has WASI's numbers; programs expect Linux's.
package Errno;

use strict;
use warnings;

our $VERSION = '1.38';
our @ISA     = 'Exporter';
require Exporter;

our %err = split / /, $Belljar::errors;
our @EXPORT_OK = sort keys %err;
our %EXPORT_TAGS = (
    POSIX => [
        grep { exists $err{$_} } qw(
            E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBUSY ECHILD
            ECONNABORTED ECONNREFUSED ECONNRESET EDEADLK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT
            EFBIG EHOSTDOWN EHOSTUNREACH EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR ELOOP EMFILE
            EMLINK EMSGSIZE ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODEV ENOENT
            ENOEXEC ENOLCK ENOMEM ENOPROTOOPT ENOSPC ENOSYS ENOTBLK ENOTCONN ENOTDIR ENOTEMPTY
            ENOTSOCK ENOTTY ENXIO EOPNOTSUPP EPERM EPFNOSUPPORT EPIPE EPROTONOSUPPORT EPROTOTYPE
            ERANGE EREMOTE ERESTART EROFS ESHUTDOWN ESOCKTNOSUPPORT ESPIPE ESRCH ESTALE ETIMEDOUT
            ETOOMANYREFS ETXTBSY EUSERS EWOULDBLOCK EXDEV
        )
    ],
);

for my $name (@EXPORT_OK) {
    my $number = $err{$name};
    no strict 'refs';
    *$name = sub () { $number };
}

sub TIEHASH { return bless \%err, $_[0] }

sub FETCH {
    my (undef, $name) = @_;
    my $number = $err{ $name // '' };
    return '' if !defined $number;
    return $! == $number ? $number : 0;
}

sub STORE {
    require Carp;
    Carp::confess('ERRNO hash is read only!');
}
*CLEAR = *DELETE = \&STORE;

sub EXISTS   { return exists $err{ $_[1] // '' } }
sub FIRSTKEY { my $first = keys %err; return each %err }
sub NEXTKEY  { return each %err }

# Perl calls this with the glob of %!, once a program has the hash in it.
sub _tie_it { return tie %{ $_[0] }, __PACKAGE__ }

1;
