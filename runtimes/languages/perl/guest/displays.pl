# What a program shows besides text and values: `Belljar::display($mime, $data, \%metadata)`. Each
# display is a line of JSON, written to a device.

package Belljar;

use strict;
no warnings;

use constant DISPLAY_DEVICE => '/dev/display';
use constant IMAGE_TYPE     => qr{\Aimage/(?!svg\+xml\z)}i;
use constant TEXT_TYPE      => qr{\Atext/|[/+](?:json|xml)\z|/javascript\z}i;
use constant JSON_TYPE      => qr{[/+]json\z}i;
# Levels of arrays and hashes. The device drops what is deeper than 256, two of which are the display's.
use constant LEVELS         => 254;
use constant USAGE          => 'expected ($mime, $data) or ($mime, $data, \%metadata)';

my $name      = qr{[A-Za-z0-9][A-Za-z0-9_!#\$&^.+-]{0,126}};
my $mime_type = qr{\A$name/$name\z};

my ($base64_of, $overloading);
BEGIN {
    require MIME::Base64;
    require overload;
    $base64_of   = \&MIME::Base64::encode_base64;
    $overloading = \&overload::Method;
}

# Shows data of a type. Dies with a reason at the line of the call. The program's $@ and $! stay.
sub display {
    local ($@, $!);
    refuse(USAGE) if @_ < 2 || @_ > 3;
    my ($mime, $data, $metadata) = @_;
    $mime = checked_type($mime);
    refuse("there are no data for $mime") if !defined $data;
    refuse('the metadata must be a reference to a hash') if defined $metadata && ref $metadata ne 'HASH';
    # the newline before ends what the program itself may have written to the device
    my $line = "\n" . '{"data":{' . quoted($mime) . ':' . shown_json($mime, $data) . '}';
    $line .= ',"metadata":' . reference_json('metadata', $metadata) if defined $metadata;
    $line .= "}\n";
    CORE::open(my $device, '>:raw', DISPLAY_DEVICE) or refuse("the display cannot be opened: $!");
    CORE::syswrite($device, $line) // refuse("the display cannot be written: $!");
    CORE::close($device);
    return;
}

# Dies at the line of the program's call.
sub refuse {
    my ($reason) = @_;
    my ($level, $file, $line) = (0);
    do { (undef, $file, $line) = CORE::caller($level++) } while defined $file && $file eq DRIVER;
    die "Belljar::display: $reason at $file line $line.\n";
}

sub checked_type {
    my ($mime) = @_;
    refuse('there is no MIME type') if !defined $mime;
    $mime = "$mime";
    return utf8_of($mime) if $mime =~ $mime_type;
    refuse('not a MIME type such as text/html: ' . substr $mime, 0, 100);
}

# The data as JSON. Text and images are strings.
sub shown_json {
    my ($mime, $data) = @_;
    my $is_image = $mime =~ IMAGE_TYPE;
    if (ref $data) {
        if (builtin::blessed($data) && $overloading->($data, '""')) { $data = "$data" }
        elsif (!$is_image) { return reference_json('data', $data) }
        else { refuse("the data of $mime must be a string") }
    }
    return quoted($base64_of->(bytes_of($mime, $data), '')) if $is_image;
    if ($mime =~ JSON_TYPE && (builtin::is_bool($data) || builtin::created_as_number($data))) {
        return reference_json('data', $data);
    }
    return quoted($base64_of->($data, '')) if $mime !~ TEXT_TYPE && is_binary($data);
    return reference_json('data', "$data");
}

# The bytes of an image.
sub bytes_of {
    my ($mime, $bytes) = @_;
    refuse("the data of $mime are bytes, but there are characters above 255") if !utf8::downgrade($bytes, 1);
    return $bytes;
}

# Whether a string has bytes that are not UTF-8.
sub is_binary {
    my ($string) = @_;
    return !utf8::is_utf8($string) && (!utf8::decode($string) || utf8::is_utf8($string) && !is_unicode($_[0]));
}

our $allows_objects; # for `json_of`

# A value as JSON. An exception of its own methods passes through.
sub reference_json {
    my ($what, $value) = @_;
    my $json = do {
        local ($SIG{__DIE__}, $allows_objects) = (undef, 1);
        eval { json_of($value, MAX_DEPTH + 1 - LEVELS, {}) };
    };
    return $json if defined $json;
    die $@ if ref $@ || $@ ne NO_JSON;
    refuse("the $what cannot be JSON, which has no infinite numbers, code, cycles, objects without TO_JSON"
            . ', characters outside of Unicode or more than ' . LEVELS . ' levels');
}

# What JSON modules make of an object with a method TO_JSON, and of a reference to 0 or 1.
sub own_json {
    my ($value, $depth, $above) = @_;
    if (defined builtin::blessed($value)) {
        my $method = $value->can('TO_JSON') || die NO_JSON;
        return json_of(scalar $value->$method, $depth + 1, $above);
    }
    die NO_JSON if ref $value ne 'SCALAR' || ($$value // '') !~ /\A[01]\z/;
    return $$value ? 'true' : 'false';
}

1;
