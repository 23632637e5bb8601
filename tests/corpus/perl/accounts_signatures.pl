use v5.36;

package Account {
    my $count = 0;

    sub new ( $class, %args ) {
        my $self =
          bless { owner => $args{owner} // 'nobody', balance => $args{balance} // 0, log => [] },
          $class;
        $count++;
        return $self;
    }

    sub deposit ( $self, $amount ) {
        die sprintf( "Bad amount: %s\n", $amount ) if $amount <= 0;
        $self->{balance} += $amount;
        push $self->{log}->@*, [ deposit => $amount ];
        return $self;
    }

    sub withdraw ( $self, $amount, $reason = 'cash' ) {
        if ( $amount > $self->{balance} ) {
            die Account::Error->new( need => $amount, have => $self->{balance} );
        }
        $self->{balance} -= $amount;
        push $self->{log}->@*, [ $reason => -$amount ];
        return $self;
    }

    sub statement ($self) {
        join "\n", map { sprintf '%-10s %8.2f', @$_ } $self->{log}->@*;
    }
    sub count           { $count }
    sub DESTROY ($self) { say "closing account of $self->{owner}" }
}

package Account::Error {
    use overload
      '""'     => sub ( $e, @ ) { "insufficient funds: need $e->{need}, have $e->{have}" },
      fallback => 1;
    sub new   ( $class, %f ) { bless {%f}, $class }
    sub throw ( $class, @a ) { die $class->new(@a) }
}

package Savings {
    use parent -norequire, 'Account';

    sub new ( $class, %args ) {
        my $self = $class->SUPER::new(%args);
        $self->{rate} = $args{rate};
        $self;
    }
    sub add_interest ($self) { $self->deposit( $self->{balance} * $self->{rate} ) }
}

package main;
my $acc = Savings->new( owner => 'Ann', balance => 100, rate => 0.05 );
$acc->deposit(50)->withdraw( 30, 'rent' )->add_interest;
say $acc->statement;
say sprintf '%.2f', $acc->{balance};
eval { $acc->withdraw(1e6); 1 } or do {
    my $err = $@;
    say ref $err, ': ', $err;
    say "caught" if $err isa Account::Error;
};
eval { $acc->deposit(-5) } or print "error: $@";
eval { $acc->nonsense };
print $@;
eval { Account->can('deposit')->() };
print $@ =~ s/ at .*//sr, "\n";
say Account::count(), ' ', $acc->isa('Account') ? 'is' : 'is not', ' an Account';
{ my $tmp = Account->new( owner => 'Tmp' ); }
undef $acc;
say 'end';
