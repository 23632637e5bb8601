/**
 * Records what the corpus prints under the machine's own perl: `deno run -A record.ts`. Each
 * program runs in a directory of its own; beside `name.pl` comes `name.out`: standard output, and a
 * last line with the exit status.
 *
 * @module
 */

const here = new URL(".", import.meta.url);

async function record(name: string): Promise<void> {
  const source = await Deno.readTextFile(new URL(name, here));
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
    await Deno.writeTextFile(new URL(name.replace(/\.pl$/, ".out"), here), text + end);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

if (import.meta.main) {
  for await (const { name } of Deno.readDir(here)) {
    if (name.endsWith(".pl")) await record(name);
  }
}
