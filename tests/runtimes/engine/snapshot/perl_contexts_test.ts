import { testContexts } from "./engine_contexts.ts";

const quoted = (value: string) => `'${value}'`;

testContexts("perl", {
  survivors: [
    {
      name: "closures over lexicals",
      make:
        "my $n = 40; my $up = sub { ++$n }; sub n { $n } my @subs = map { my $k = $_; sub { $k += 10 } } 1 .. 3; $up->(); 0",
      probe: "[$up->(), n(), $subs[1]->()]",
      first: "[42,42,12]",
      second: "[43,43,22]",
    },
    {
      name: "packages, objects and destructors",
      make:
        `package Base { our $made = 0; sub new { my ($c, %a) = @_; $made++; bless { x => 0, %a }, $c } sub x { ++$_[0]{x} } sub DESTROY { $main::gone++ } }
        package Sub { our @ISA = 'Base'; use overload '+' => sub { 7 + $_[1] }; sub x { my $s = shift; $s->SUPER::x() * 10 } } package main; our $gone = 0; my $o = Sub->new(name => 'sub'); 0`,
      probe: "{ my $t = Base->new } [$o->x, $o->{name}, $o + 1, $Base::made, $gone, ref $o]",
      first: '[10,"sub",8,2,1,"Sub"]',
      second: '[20,"sub",8,3,2,"Sub"]',
    },
    {
      name: "iterators made of closures and of each",
      make:
        "my %h = map { $_ => 1 } 1 .. 20; my ($k) = each %h; my $left = 20; my $it = do { my @q = (5, 6, 7); sub { shift @q } }; $it->(); 0",
      probe: "my $seen = 0; $seen++ while defined(my $x = each %h); [$seen, $it->()]",
      first: "[19,6]",
      second: "[20,7]",
    },
    {
      name: "compiled regular expressions and where they stand",
      make:
        "my $re = qr/(?<w>[a-z]+)(\\d)?/i; my $t = 'ab1 CD ef3'; $t =~ /$re/g; my $code = qr/(\\d+)(?{ $hits++ })/; our $hits = 0; 0",
      probe: "my $p = pos $t; $t =~ /$re/g; 'x12' =~ $code; [$p, $+{w} // '', $1, $hits]",
      first: '[3,"","12",1]',
      second: '[6,"","12",2]',
    },
    {
      name: "state variables, constants and prototypes",
      make:
        "use feature 'state'; use constant { PI => 3, LIST => [1, 2] }; sub count { state $n = 0; ++$n } sub apply(&@) { my $c = shift; map { $c->($_) } @_ } count(); 0",
      probe: "[count(), PI, LIST->[1], join(',', apply { $_[0] * 2 } 1, 2)]",
      first: '[2,3,2,"2,4"]',
      second: '[3,3,2,"2,4"]',
    },
    {
      name: "digests half done",
      make: "use Digest::SHA; my $d = Digest::SHA->new(256); $d->add('ab'); my $n = 0; 0",
      probe: "[substr($d->clone->add('c')->hexdigest, 0, 16), ++$n]",
      first: '["ba7816bf8f01cfea",1]',
      second: '["ba7816bf8f01cfea",2]',
    },
    {
      name: "tied variables, weak references and rings",
      make:
        "package Up { sub TIESCALAR { my $v = 5; bless \\$v } sub FETCH { ${$_[0]}++ } sub STORE {} } package main; use Scalar::Util 'weaken'; tie my $up, 'Up'; my $ring = { n => 1 }; $ring->{self} = $ring; weaken($ring->{self}); my @strings = (\"\\x{263a}\", \"\\xff\"); 0",
      probe: 'my $now = $up; ["$now", $ring->{self}{n}++, length $strings[0], ord $strings[1]]',
      first: '["5",1,1,255]',
      second: '["6",2,1,255]',
    },
    {
      name: "strings evaluated as code and sorted by subs",
      make: "my $made = eval 'my $c = 10; sub { $c-- }'; sub by { $b <=> $a } my @l = (3, 1, 2); 0",
      probe: "[$made->(), join '', sort by @l]",
      first: '[10,"321"]',
      second: '[9,"321"]',
    },
    {
      name: "large strings and arrays",
      make: "my $big = 'x' x 3_000_000 . 'end'; my @rows = map { { i => $_ } } 0 .. 49_999; 0",
      probe:
        "push @rows, { i => 1 }; [length $big, substr($big, -3), scalar @rows, $rows[49_999]{i}]",
      first: '[3000003,"end",50001,49999]',
      second: '[3000003,"end",50002,49999]',
    },
  ],
  define: "my $v = 1; $v",
  increment: "$v += 1; $v",
  changeThenLoop: "$v = 100; while (1) {}",
  changeThenWrite: '$v = 100; while (1) { print "x\\n" }',
  incrementThenFail: "$v += 1; die 'x'",
  incrementThenLong: "$v += 1; 'x' x 2000",
  noise: "$v = 100; my $noise = join '', map { chr int rand 256 } 1 .. 300_000; 1",
  random: "rand",
  fill: (mark) =>
    `my @kept = map { '${mark}' . $_ } 1 .. 200; my $blob = '${mark}' x 3000; open my $f, '>', 'c.txt'; print $f '${mark}'; close $f; scalar @kept`,
  enter: "mkdir 'd'; chdir 'd'; 1",
  where: "use Cwd; getcwd()",
  write: (path, value) =>
    `{ open my $f, '>', ${quoted(path)} or die $!; print $f ${quoted(value)}; close $f }`,
  remove: (path) => `unlink ${quoted(path)} or die $!;`,
  makeDirectory: (path) => `mkdir ${quoted(path)} or die $!;`,
  removeDirectory: (path) => `rmdir ${quoted(path)} or die $!;`,
  setTime: (path, seconds) => `utime ${seconds}, ${seconds}, ${quoted(path)}`,
  tree: `my @found; sub list { my $dir = shift; opendir my $h, "/workspace/$dir" or die $!;
    for my $name (sort grep { !/^\\.\\.?$/ } readdir $h) { my $path = "$dir$name"; my $at = "/workspace/$path"; my $time = (stat $at)[9];
      if (-d $at) { push @found, [$path, undef, $time]; list("$path/") }
      else { open my $f, '<', $at or die $!; my $text = do { local $/; <$f> }; push @found, [$path, $text, $time] } } }
  @found = (); list(''); [@found]`,
});
