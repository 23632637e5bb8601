/**
 * Programs of a soak, in each language: what they must answer follows from what is put in.
 */
import type { BundledLanguage as Language } from "../../shared/languages.ts";

/** The programs of a soak in one language. */
export interface LanguagePrograms {
  /** Prints the variable `WORD`, and has the sum of some numbers as its value, as JSON. */
  stateless(numbers: readonly number[]): string;
  /** Never ends. */
  readonly endless: string;
  /** Fails with that message. */
  failing(message: string): string;
  /** Programs of a context with the number `n`; undefined where there are no contexts. */
  readonly context:
    | {
      readonly start: string;
      /** Adds to `n`; its value is `n`. */
      add(amount: number): string;
      readonly value: string;
      /** Adds, then never ends. */
      addEndless(amount: number): string;
      /** The value is the text of the file `in.txt`, written to `out.txt` too. */
      readonly copyFile: string;
    }
    | undefined;
}

/** By language. */
export const PROGRAMS: Readonly<Record<Language, LanguagePrograms>> = {
  javascript: {
    stateless: (numbers) =>
      `console.log(process.env.WORD); ({ sum: [${numbers}].reduce((a, b) => a + b, 0) })`,
    endless: "for (;;);",
    failing: (message) => `throw new Error("${message}")`,
    context: {
      start: "var n = 0; n",
      add: (amount) => `n += ${amount}; n`,
      value: "n",
      addEndless: (amount) => `n += ${amount}; for (;;);`,
      copyFile:
        "var fs = require('fs'), t = fs.readFileSync('in.txt', 'utf8'); fs.writeFileSync('out.txt', t); `${t}`",
    },
  },
  python: {
    stateless: (numbers) => `import os\nprint(os.environ["WORD"])\n{"sum": sum([${numbers}])}`,
    endless: "while True: pass",
    failing: (message) => `raise ValueError("${message}")`,
    context: {
      start: "n = 0\nn",
      add: (amount) => `n += ${amount}\nn`,
      value: "n",
      addEndless: (amount) => `n += ${amount}\nwhile True: pass`,
      copyFile:
        "t = open('in.txt').read()\nwith open('out.txt', 'w') as f: _ = f.write(t)\nprint(t, end='')",
    },
  },
  perl: {
    stateless: (numbers) =>
      `print "$ENV{WORD}\\n"; my $s = 0; $s += $_ for (${numbers}); { sum => $s }`,
    endless: "1 while 1;",
    failing: (message) => `die "${message}\\n"`,
    context: {
      start: "our $n = 0; $n",
      add: (amount) => `$n += ${amount}; $n`,
      value: "$n",
      addEndless: (amount) => `$n += ${amount}; 1 while 1;`,
      copyFile:
        "open(my $i, '<', 'in.txt') or die; local $/; my $t = <$i>; open(my $o, '>', 'out.txt') or die; print $o $t; close $o; $t",
    },
  },
  ruby: {
    stateless: (numbers) => `puts ENV["WORD"]\n{ sum: [${numbers}].sum }`,
    endless: "loop {}",
    failing: (message) => `raise "${message}"`,
    context: undefined,
  },
};
