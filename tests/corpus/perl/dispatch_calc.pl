use strict;
use warnings;

# A recursive descent calculator with a dispatch table for its functions.
my %functions = (
    sqrt => sub { sqrt $_[0] },
    max  => sub {
        ( sort { $b <=> $a } @_ )[0];
    },
    min => sub {
        ( sort { $a <=> $b } @_ )[0];
    },
    sum   => sub { my $t = 0; $t += $_ for @_; $t },
    pi    => sub { 3.14159265358979 },
    round => sub { sprintf "%.$_[1]f", $_[0] },
);
my %operators = (
    '+' => sub { $_[0] + $_[1] },
    '-' => sub { $_[0] - $_[1] },
    '*' => sub { $_[0] * $_[1] },
    '/' => sub { $_[1] or die "division by zero\n"; $_[0] / $_[1] },
    '%' => sub { $_[0] % $_[1] },
    '^' => sub { $_[0]**$_[1] }
);
my %precedence = ( '+' => 1, '-' => 1, '*' => 2, '/' => 2, '%' => 2, '^' => 3 );
my ( @tokens, %variables );

sub tokenize {
    local $_ = shift;
    my @t;
    while (1) {
        /\G\s+/gc                              and next;
        /\G(\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)/gc and do { push @t, [ num => $1 ]; next };
        /\G([A-Za-z_]\w*)/gc                   and do { push @t, [ id  => $1 ]; next };
        m{\G([-+*/%^(),=])}gc                  and do { push @t, [ op  => $1 ]; next };
        last if /\G\z/gc;
        die sprintf "unexpected '%s' at %d\n", substr( $_, pos // 0, 1 ), pos() // 0;
    }
    return @t;
}
sub peek { @tokens ? $tokens[0][1] : '' }

sub expect {
    my $want = shift;
    my $t    = shift @tokens;
    die "expected '$want'\n" unless $t && $t->[1] eq $want;
}

sub primary {
    my $t = shift @tokens or die "unexpected end\n";
    my ( $type, $text ) = @$t;
    return $text if $type eq 'num';
    if ( $text eq '(' ) { my $v = expression(1); expect(')'); return $v }
    return -expression(3) if $text eq '-';
    if ( $type eq 'id' ) {
        if ( peek() eq '(' ) {
            shift @tokens;
            my @args;
            while ( peek() ne ')' ) {
                push @args, expression(1);
                shift @tokens if peek() eq ',';
                die "unexpected end\n" unless @tokens;
            }
            expect(')');
            my $f = $functions{$text} or die "unknown function $text\n";
            return $f->(@args);
        }
        return $variables{$text} // die "unknown variable $text\n";
    }
    die "unexpected '$text'\n";
}

sub expression {
    my $level = shift;
    my $left  = primary();
    while ( @tokens and my $p = $precedence{ peek() } ) {
        last if $p < $level;
        my $op    = ( shift @tokens )->[1];
        my $right = expression( $op eq '^' ? $p : $p + 1 );
        $left = $operators{$op}->( $left, $right );
    }
    return $left;
}

sub evaluate {
    my $text = shift;
    @tokens = tokenize($text);
    if ( @tokens > 2 && $tokens[0][0] eq 'id' && $tokens[1][1] eq '=' ) {
        my $n = ( splice @tokens, 0, 2 )[0][1];
        return $variables{$n} = evaluate_rest();
    }
    return evaluate_rest();
}
sub evaluate_rest { my $v = expression(1); die "trailing '" . peek() . "'\n" if @tokens; $v }
for my $e (
    '1 + 2 * 3', '2 ^ 3 ^ 2', '(1 + 2) * -3', 'x = 10 / 4', 'x * 2',
    'max(1, x, 2) + sum(1,2,3)',
    'round(pi(), 3)',
    '7 % 4', '1 / 0', '2 +', 'foo(1)', 'y', '3 $ 4', '1 2', '1e3 + .5'
  )
{
    my $r = eval { evaluate($e) };
    print "$e = ", defined $r ? $r : "error: $@" =~ s/\n//r, "\n";
}
