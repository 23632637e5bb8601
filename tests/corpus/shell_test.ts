// test: long
/** Commands as agents send them: the output and the exit code of GNU's programs. */
import { assert, assertEquals } from "@std/assert";
import { runShell, shellEngine, shellTest } from "../support/shell_engine.ts";
import { readCorpus } from "./shell/corpus.ts";

/** Commands whose answers differ, by the reason. */
const DIFFERENT: Readonly<Record<string, readonly string[]>> = {
  "find and grep -r visit names in order, GNU the order of the disk": [
    "grep -rn TODO src",
    "find . -name '*.py' | xargs grep -n def",
  ],
  "another of two equal lines": ["diff <(sort fruits.txt) <(sort -u fruits.txt)"],
  "programs of other languages, version control and the network are elsewhere": [
    "python3 --version >/dev/null 2>&1; echo $?",
    "curl -s http://localhost:1 >/dev/null; echo rc=$?",
    "git --version >/dev/null 2>&1; echo $?",
  ],
  "there are no links": ["ln -s fruits.txt link && cat link | head -1"],
  "rm -v is silent": ["touch a b c && rm -v a b | sort"],
  "errors of a command come after its output": ["ls nope src 2>&1 | tail -n +1"],
  "options that are missing": [
    "file -b README.md | cut -d' ' -f1",
    "zip -q a.zip fruits.txt && rm fruits.txt && unzip -q a.zip && head -1 fruits.txt",
    "seq 10 | shuf --random-source=<(yes) | sort -n | tail -1",
  ],
  "tail -1 takes several files": ["tail -1 fruits.txt words.txt"],
  "words are text, so that bytes of $'…' become characters": [
    "iconv -f latin1 -t utf-8 <<< $'caf\\xe9'",
  ],
  "awk is gawk's: ** is a power, integers have all digits": [
    "awk 'BEGIN{print int(7/2), 7%3, 2^10, 2**3}'",
    "awk 'BEGIN{print 0.1+0.2, 1e6, 1e20, 100000000}'",
  ],
  "jq has the exit code of its later versions": ["jq . <<< 'not json' 2>/dev/null; echo $?"],
  "a path through a file is not found": ["./fruits.txt/x 2>/dev/null; echo $?"],
};

const LEAST_SHARE = 0.95;
const CLOCK = Date.UTC(2026, 10, 28);

shellTest("commands answer as GNU's programs do", async (t) => {
  const { files, cases } = await readCorpus();
  const shell = await shellEngine();
  const different = new Set(Object.values(DIFFERENT).flat());
  assert(cases.length >= 500);
  assert(1 - different.size / cases.length >= LEAST_SHARE);
  const commands = new Set(cases.map(({ command }) => command));
  assertEquals([...different].filter((command) => !commands.has(command)), []);
  const encoder = new TextEncoder();
  for (const { command, stdout, exitCode } of cases) {
    shell.reset();
    for (const [path, text] of Object.entries(files)) write(path, encoder.encode(text));
    const ran = runShell(shell, command, { clock: CLOCK });
    const isEqual = ran.stdout === stdout && ran.exitCode === exitCode;
    if (isEqual !== different.has(command)) continue;
    const told = isEqual ? "is equal, and listed as different" : "differs";
    await t.step(`${command} ${told}`, () => {
      assertEquals([ran.stdout, ran.exitCode, ran.stderr], [stdout, exitCode, ""]);
      assert(!isEqual);
    });
  }

  function write(path: string, bytes: Uint8Array): void {
    const { files: tree } = shell.state;
    const parts = path.split("/");
    for (let depth = 1; depth < parts.length; depth++) {
      const folder = `/workspace/${parts.slice(0, depth).join("/")}`;
      if (!exists(folder)) tree.makeDirectory(folder);
    }
    const file = tree.open(`/workspace/${path}`, { write: true, create: true });
    tree.descriptors.write(file, bytes);
    tree.descriptors.close(file);
  }

  function exists(path: string): boolean {
    try {
      shell.state.files.stat(path);
      return true;
    } catch {
      return false;
    }
  }
});
