/**
 * Programs that use up their fuel with displays: small ones, ones of 1 MiB over the limit, and invalid
 * lines, which are dropped. `bench/fuel.ts` measures them.
 *
 * @module
 */
import type { BundledLanguage as Language } from "../shared/languages.ts";

const BUNDLE = "{ [Symbol.for('Jupyter.display')]: () => ({ 'a/b': v }) }";

/** Programs by language and name. */
export const DISPLAY_PROGRAMS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  javascript: {
    "display small": "for (;;) display(1);",
    "display 1 MiB": `const v = 'x'.repeat(1 << 20), d = ${BUNDLE}; for (;;) display(d);`,
    "display values": `const v = new Array(2e5).fill([]), d = ${BUNDLE}; for (;;) display(d);`,
    "display dropped": `const t = '[' + '[],'.repeat(250000) + '[]]\\n', fs = require('fs');
      for (;;) fs.writeFileSync('/dev/display', t);`,
  },
  python: {
    "display small": "while True: display(1)",
    "display 1 MiB": "v = {'a/b': 'x' * (1 << 20)}\nwhile True: display(v, raw=True)",
    "display dropped": `import os
f = os.open('/dev/display', 1)
t = b'[' + b'[],' * 250000 + b'[]]\\n'
while True: os.write(f, t)`,
  },
  perl: {
    "display small": "Belljar::display('a/b', 1) while 1;",
    "display 1 MiB": "my $v = 'x' x (1 << 20); Belljar::display('a/b', $v) while 1;",
    "display dropped": `open my $f, '>', '/dev/display';
      my $t = '[' . '[],' x 250000 . '[]]' . chr 10; syswrite $f, $t while 1;`,
  },
  ruby: {
    "display small": "loop { display_data('a/b', 1) }",
    "display 1 MiB": "v = 'x' * (1 << 20); loop { display_data('a/b', v) }",
    "display dropped": `f = File.open('/dev/display', 'w')
      t = '[' + '[],' * 250_000 + '[]]' + 10.chr; loop { f.syswrite t }`,
  },
};
