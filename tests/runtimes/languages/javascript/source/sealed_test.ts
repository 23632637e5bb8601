import { assertEquals } from "@std/assert";
import { stripperBytes } from "./preparer.ts";

const SEALED = "--no-config --no-lock --no-npm --no-remote --cached-only --no-prompt".split(" ");

async function bundle(entry: URL, target: string): Promise<void> {
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["bundle", "--quiet", "--platform", "deno", "--output", target, entry.pathname],
    stdout: "null",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

async function runSealed(script: string, denoDir: string, programs: readonly string[]) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...SEALED, script, JSON.stringify(programs)],
    clearEnv: true,
    env: { DENO_DIR: denoDir, NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(stripperBytes());
  await writer.close();
  const { success, stdout, stderr } = await child.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout));
}

Deno.test("sealed: one bundled file prepares TypeScript without any permission", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const script = `${folder}/sealed.js`;
    await bundle(new URL("sealed_entry.ts", import.meta.url), script);
    await Deno.mkdir(`${folder}/cache`);
    const programs = ["1 + 1", "let a: number = 1; a", "[".repeat(65_536)];
    const answers = await runSealed(script, `${folder}/cache`, programs);
    assertEquals(answers, [
      { ok: true, source: { code: "1 + 1", hasValue: true, awaits: false, names: [] } },
      {
        ok: true,
        source: { code: "let a         = 1; a", hasValue: true, awaits: false, names: ["a"] },
      },
      { ok: true, source: { code: "[".repeat(65_536), hasValue: true, awaits: false, names: [] } },
    ]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
