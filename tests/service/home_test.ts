/** Nothing is written to the home of the service's user. */
import { assertEquals } from "@std/assert";
import { BUNDLED_LANGUAGES as LANGUAGES } from "../../shared/languages.ts";
import { execute, startService } from "../support/service.ts";

/** Deno's package cache, which is in the home folder by default. */
async function denoDirectory(): Promise<string> {
  const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).output();
  const told: { readonly denoDir: string } = JSON.parse(new TextDecoder().decode(stdout));
  return told.denoDir;
}

Deno.test("service: a run in each language leaves the user's home as it was", async () => {
  const home = await Deno.makeTempDir();
  try {
    {
      await using service = await startService({
        HOME: home,
        DENO_DIR: await denoDirectory(),
        XDG_CACHE_HOME: `${home}/cache`,
        XDG_CONFIG_HOME: `${home}/config`,
        XDG_DATA_HOME: `${home}/data`,
        KV_PATH: ":memory:",
      });
      for (const language of LANGUAGES) {
        const { result } = await execute(service.url, language, "6 * 7");
        assertEquals([language, result.results], [language, [{ text: "42" }]]);
      }
    }
    assertEquals([...Deno.readDirSync(home)].map(({ name }) => name), []);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
