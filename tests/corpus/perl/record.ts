/**
 * Records what the corpus prints under the machine's own perl: `deno run -A record.ts`. Each
 * program runs in a directory of its own; `name.out` is for `name.pl`: standard output, and a last
 * line with the exit status.
 *
 * @module
 */
import { readArchive, writeArchive } from "../archive.ts";

/** The output of a program. */
async function record(source: string): Promise<string> {
  const directory = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${directory}/main.pl`, source);
    const { stdout, code } = await new Deno.Command("perl", {
      args: ["main.pl"],
      cwd: directory,
      clearEnv: true,
      env: { PATH: "/usr/bin:/bin", TZ: "UTC", HOME: "/", LC_ALL: "C" },
      stdin: "null",
    }).output();
    const text = new TextDecoder().decode(stdout);
    const status = `exit status ${code}\n`;
    const end = text === "" || text.endsWith("\n") ? status : `\n${status}`;
    return text + end;
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

if (import.meta.main) {
  const programs = [...readArchive("perl")].filter(([name]) => name.endsWith(".pl"));
  const files = new Map(programs);
  for (const [name, code] of programs) {
    files.set(name.replace(/\.pl$/, ".out"), await record(code));
  }
  writeArchive("perl", files);
}
