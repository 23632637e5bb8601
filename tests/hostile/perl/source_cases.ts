/** Sources that are hostile to their parsers: the host reads them too. */
import type { HostileCase } from "../cases.ts";

const SOURCE_BYTES = 65_536;

function deepSource(piece: string, tail = ""): string {
  return piece.repeat(Math.floor((SOURCE_BYTES - tail.length) / piece.length)) + tail;
}

export const SOURCES: readonly HostileCase[] = [
  ...["{", "[", "(", "sub {", "do {", "<<A.", "qq{", "s{a}{", "if (1) {", '"${', "eval q("]
    .map((piece) =>
      ({
        name: `source of ${piece}`,
        code: deepSource(piece),
        outcome: "either",
      }) as const
    ),
  ...[
    "<",
    "=",
    "x=",
    "$",
    "-",
    "! ",
    "'",
    "%",
    "y/a/",
    "=pod\n\n",
    "format =\n",
    "__END__\n",
    "#line 1\n",
  ]
    .map((piece) =>
      ({
        name: `source of ${JSON.stringify(piece)}`,
        code: deepSource(piece),
        outcome: "any",
      }) as const
    ),
  { name: "source of backslashes", code: "\\".repeat(40_000), outcome: "error" },
  { name: "source of signs", code: deepSource("- ", "1"), outcome: "any" },
  { name: "source of conditionals", code: deepSource("1 ? 1 : ", "0"), outcome: "any" },
  { name: "source of a long sum", code: deepSource("1+", "1"), outcome: "any" },
  { name: "source of statements", code: deepSource("my $x = 1;", "5"), outcome: "value" },
  { name: "source of declarations", code: `my (${deepSource("$a,").slice(8)}); 5`, outcome: "any" },
  {
    name: "here-document without an end",
    code: "print <<EOT;\nno end",
    outcome: "error",
    message: /string terminator/,
  },
  {
    name: "data behind the end",
    code: "print <DATA>; 7\n__END__\nfirst\nsecond",
    outcome: "value",
    results: [{ text: "7" }],
    stdout: ["first", "second"],
  },
  {
    name: "lines that lie",
    code: '#line 99999 "x"\ndie "here"',
    outcome: "error",
    message: /here at x line 99999/,
  },
  {
    name: "line of the driver",
    code: '#line 1 "belljar:driver"\nsub f { die "here" } f()',
    outcome: "error",
    message: /here/,
  },
  { name: "only control characters", code: "\u0001\u0004\u001a", outcome: "any" },
  { name: "byte order mark", code: "\ufeff5", outcome: "any" },
  { name: "source filter", code: "use Filter::Util::Call; 5", outcome: "any" },
  { name: "source of characters", code: "☃".repeat(20_000), outcome: "error" },
];
