# Sets of signals, what a program does with them, and handlers as POSIX has them: for signals that
# a program sends to itself, and its alarms.
# By hand: Perl's own POSIX is compiled C, which the engine does not have.
package POSIX;

use strict;
no warnings;
use Carp ();

use constant {
    SA_NOCLDSTOP => 1, SA_NOCLDWAIT => 2, SA_SIGINFO => 4, SA_ONSTACK => 0x08000000,
    SA_RESTART => 0x10000000, SA_NODEFER => 0x40000000, SA_RESETHAND => 0x80000000,
};

sub sigprocmask {
    my ($how, $set, $old) = @_;
    my $before = Belljar::blocked_signals();
    %$old = map { $_ => 1 } @$before if ref $old;
    return '0 but true' if !ref $set;
    my %blocked = map { $_ => 1 } $how == SIG_SETMASK() ? () : @$before;
    if ($how == SIG_UNBLOCK()) { delete @blocked{ keys %$set } }
    elsif ($how == SIG_BLOCK() || $how == SIG_SETMASK()) { @blocked{ keys %$set } = (1) x keys %$set }
    else { $! = Errno::EINVAL(); return undef }
    Belljar::block_signals(keys %blocked);
    return '0 but true';
}

sub sigpending {
    my ($set) = @_;
    %$set = map { $_ => 1 } Belljar::waiting_signals();
    return '0 but true';
}

# No other process can send a signal, so without an alarm this would never end.
sub sigsuspend {
    my ($set) = @_;
    my $before = Belljar::blocked_signals();
    Belljar::block_signals(keys %$set);
    POSIX::pause() if !Belljar::waiting_signals();
    Belljar::block_signals(@$before);
    $! = Errno::EINTR();
    return undef;
}

sub sigaction {
    my ($number, $action, $old) = @_;
    my $name = $number =~ /\A[0-9]+\z/ ? Belljar::signal_name($number) : undef;
    if (!defined $name || $name eq 'ZERO' || $action && $name =~ /\A(?:KILL|STOP)\z/) {
        $! = Errno::EINVAL();
        return undef;
    }
    if (ref $old) { $old->{HANDLER} = $SIG{$name} // 'DEFAULT' }
    $SIG{$name} = $action->{HANDLER} if ref $action;
    return '0 but true';
}

package POSIX::SigSet;

sub new {
    my ($class, @numbers) = @_;
    return bless { map { $_ => 1 } @numbers }, $class;
}
sub addset   { $_[0]{ $_[1] } = 1; return '0 but true' }
sub delset   { delete $_[0]{ $_[1] }; return '0 but true' }
sub emptyset { %{ $_[0] } = (); return '0 but true' }
sub fillset  { %{ $_[0] } = map { $_ => 1 } 1 .. 64; return '0 but true' }
sub ismember { return $_[0]{ $_[1] } ? 1 : 0 }

package POSIX::SigAction;

sub new {
    my ($class, $handler, $mask, $flags) = @_;
    return bless { HANDLER => $handler // 'DEFAULT', MASK => $mask, FLAGS => $flags // 0, SAFE => 0 }, $class;
}
sub handler { $_[0]{HANDLER} = $_[1] if @_ > 1; return $_[0]{HANDLER} }
sub mask    { $_[0]{MASK} = $_[1] if @_ > 1; return $_[0]{MASK} }
sub flags   { $_[0]{FLAGS} = $_[1] if @_ > 1; return $_[0]{FLAGS} }
sub safe    { $_[0]{SAFE} = $_[1] if @_ > 1; return $_[0]{SAFE} }

1;
