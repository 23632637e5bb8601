/**
 * Caddy in front of services of the tests, with the configuration that docs/operating.md shows. The
 * program is the one that is installed; without it the tests are left out.
 *
 * @module
 */
import { freePort } from "./program.ts";
import { answers, until } from "./wait.ts";

const PAGE = new URL("../../docs/operating.md", import.meta.url);
const DOCUMENTED_HOST = "belljar.example";
const DOCUMENTED_SERVICES = "10.0.0.11:8000 10.0.0.12:8000";

/** Whether Caddy is installed. */
export function hasCaddy(): boolean {
  try {
    return new Deno.Command("caddy", { args: ["version"], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  }
}

/** A running proxy. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
}

/** Starts Caddy with the page's block that sends each sandbox to one service. */
export async function startCaddy(services: readonly string[]): Promise<Proxy> {
  const folder = await Deno.makeTempDir({ prefix: "belljar-caddy-" });
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const hosts = services.map((service) => new URL(service).host).join(" ");
  const block = await documentedBlock();
  const site = block.replace(DOCUMENTED_HOST, url).replace(DOCUMENTED_SERVICES, hosts);
  await Deno.writeTextFile(`${folder}/Caddyfile`, `{\n\tadmin off\n}\n${site}`);
  const child = new Deno.Command("caddy", {
    args: ["run", "--adapter", "caddyfile", "--config", `${folder}/Caddyfile`],
    env: { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const end = async () => {
    try {
      child.kill("SIGKILL");
    } catch (thrown) {
      if (!(thrown instanceof TypeError)) throw thrown; // it has ended already
    }
    await child.status;
    await Deno.remove(folder, { recursive: true });
  };
  try {
    await until(() => answers(`${url}/healthz`));
  } catch (thrown) {
    await end();
    throw thrown;
  }
  return { url, [Symbol.asyncDispose]: end };
}

/** The first block of the page with this host. */
async function documentedBlock(): Promise<string> {
  const text = await Deno.readTextFile(PAGE);
  // a block may name its language, and its end must not begin the next one
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
  const block = blocks.find((each) => each.startsWith(DOCUMENTED_HOST));
  if (block?.includes(DOCUMENTED_SERVICES) !== true) throw new Error("the page has no such block");
  return block;
}
