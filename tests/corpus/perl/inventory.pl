#!/usr/bin/perl
# Inventory management with a text menu driven by a script of commands.
use strict;
use warnings;
use POSIX qw(strftime);
my %stock;
my @journal;
my %commands = (
    add    => { args => 3, help => 'add NAME QTY PRICE', run => \&add_item },
    remove => { args => 2, help => 'remove NAME QTY',    run => \&remove_item },
    list   => { args => 0, help => 'list',               run => \&list_items },
    find   => { args => 1, help => 'find PATTERN',       run => \&find_items },
    save   => { args => 1, help => 'save FILE',          run => \&save },
    load   => { args => 1, help => 'load FILE',          run => \&load },
    total  => {
        args => 0,
        help => 'total',
        run  => sub {
            my $t = 0;
            $t += $_->{qty} * $_->{price} for values %stock;
            printf "Total value: %s\n", commify( sprintf '%.2f', $t );
        }
    },
    help => {
        args => 0,
        help => 'help',
        run  => sub { print "  $commands{$_}{help}\n" for sort keys %commands }
    },
    undo => { args => 0, help => 'undo', run => \&undo },
);

sub commify {
    my $n = reverse shift;
    $n =~ s/(\d{3})(?=\d)(?!\d*\.)/$1,/g;
    return scalar reverse $n;
}

sub snapshot {
    push @journal, { map { $_ => { %{ $stock{$_} } } } keys %stock };
    shift @journal if @journal > 10;
}

sub add_item {
    my ( $name, $qty, $price ) = @_;
    die "quantity must be a positive integer, not '$qty'\n" unless $qty   =~ /^\d+$/ && $qty > 0;
    die "price must be a number, not '$price'\n"            unless $price =~ /^\d+(?:\.\d{1,2})?$/;
    snapshot();
    my $item = $stock{ lc $name } //= { name => ucfirst lc $name, qty => 0 };
    $item->{qty} += $qty;
    $item->{price} = $price;
    print "Added $qty x $item->{name} at \$$price\n";
}

sub remove_item {
    my ( $name, $qty ) = @_;
    my $item = $stock{ lc $name } or die "no such item: $name\n";
    $item->{qty} >= $qty or die sprintf "only %d of %s left\n", @$item{qw(qty name)};
    snapshot();
    $item->{qty} -= $qty;
    delete $stock{ lc $name } if !$item->{qty};
    print "Removed $qty x $item->{name}", $item->{qty} ? '' : ' (sold out)', "\n";
}

sub list_items {
    return print "(empty)\n" unless %stock;
    my $line = '+' . join( '+', map { '-' x $_ } 14, 6, 11 ) . "+\n";
    print $line;
    printf "|%-14s|%6s|%11s|\n", 'Item', 'Qty', 'Price';
    print $line;
    printf "|%-14.14s|%6d|%11.2f|\n", @$_{qw(name qty price)}
      for sort { $a->{name} cmp $b->{name} } values %stock;
    print $line;
}

sub find_items {
    my $pattern = shift;
    my $re      = eval { qr/$pattern/i }
      or die "bad pattern: " . ( $@ =~ s/ at \S+ line \d+.*//sr ) . "\n";
    my @hits = grep { $_->{name} =~ $re } map { $stock{$_} } sort keys %stock;
    print @hits ? map { "  $_->{name} ($_->{qty})\n" } @hits : "  nothing\n";
}

sub save {
    my $file = shift;
    open my $out, '>', $file or die "cannot write $file: $!\n";
    print {$out} join( "\t", @{ $stock{$_} }{qw(name qty price)} ), "\n" for sort keys %stock;
    close $out or die "close: $!\n";
    printf "Saved %d items (%d bytes)\n", scalar keys %stock, -s $file;
}

sub load {
    my $file = shift;
    open my $in, '<', $file or die "cannot read $file: $!\n";
    snapshot();
    %stock = ();
    while ( my $line = <$in> ) {
        chomp $line;
        my ( $name, $qty, $price ) = split /\t/, $line;
        $stock{ lc $name } = { name => $name, qty => $qty, price => $price };
    }
    print "Loaded ", scalar( keys %stock ), " items from line $.\n";
}
sub undo { my $last = pop @journal or die "nothing to undo\n"; %stock = %$last; print "Undone\n" }
while ( my $line = <DATA> ) {
    chomp $line;
    next if $line =~ /^\s*(?:#|$)/;
    print "> $line\n";
    my ( $cmd, @args ) = split ' ', $line;
    last if $cmd eq 'quit';
    my $c = $commands{$cmd};
    if ( !$c ) {
        my ($near) = grep { index( $_, substr $cmd, 0, 2 ) == 0 } sort keys %commands;
        print "Unknown command '$cmd'", $near ? ", did you mean '$near'?" : '', "\n";
        next;
    }
    if ( @args != $c->{args} ) { print "Usage: $c->{help}\n"; next }
    eval { $c->{run}->(@args); 1 } or print "Error: $@";
}
print "Bye after line $.\n";
__DATA__
# a comment
list
add widget 10 2.50
add GADGET 3 1999.99
add widget 5 2.75
add bolt -1 3
add bolt 1 x
list
remove widget 20
remove gadget 3
undo
find ^w
find (
total
save stock.tsv
load nothere
remove gadget 1
load stock.tsv
total
fnd x
add onlyname
undo
undo
list
quit
never reached
