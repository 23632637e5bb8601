// test: long
/** Commands as agents send them: the output and the exit code of GNU's programs. */
import { assert, assertEquals } from "@std/assert";
import { runShell, shellEngine, shellTest } from "../support/shell_engine.ts";
import { readCorpus } from "./shell/corpus.ts";

/**
 * Commands whose answers differ, from the table of docs/languages/shell.md. Its commands are code, with
 * `\\|` for the pipe.
 */
const DIFFERENT: ReadonlySet<string> = readTable(
  Deno.readTextFileSync(new URL("../../docs/languages/shell.md", import.meta.url)),
);

function readTable(page: string): ReadonlySet<string> {
  const rows = page.matchAll(/^\| `(.+)` +\| [^|]*[^|\s][^|]* \|$/gm); // with a reason
  return new Set([...rows].map(([, command = ""]) => command.replaceAll("\\|", "|")));
}

const LEAST_SHARE = 0.95;
const CLOCK = Date.UTC(2026, 10, 28);

shellTest("commands answer as GNU's programs do", async (t) => {
  const { files, cases } = await readCorpus();
  const shell = await shellEngine();
  assert(cases.length >= 500);
  assert(1 - DIFFERENT.size / cases.length >= LEAST_SHARE);
  const commands = new Set(cases.map(({ command }) => command));
  assertEquals([...DIFFERENT].filter((command) => !commands.has(command)), []);
  const encoder = new TextEncoder();
  for (const { command, stdout, exitCode } of cases) {
    shell.reset();
    for (const [path, text] of Object.entries(files)) write(path, encoder.encode(text));
    const ran = runShell(shell, command, { clock: CLOCK });
    const isEqual = ran.stdout === stdout && ran.exitCode === exitCode;
    if (isEqual !== DIFFERENT.has(command)) continue;
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
