/**
 * A KV server over a new file, for the benchmarks that need one.
 *
 * @module
 */
import { freePort } from "../tests/support/program.ts";
import { pause } from "../tests/support/wait.ts";

const TRIES = 200;
const TRY_MS = 50;

/** A running server, as variables of a service and as its port. */
export interface KvServer {
  readonly env: Readonly<Record<string, string>>;
  readonly port: number;
}

/** Starts the server with this binary, and ends it after `work`. */
export async function withKvServer(
  binary: string,
  work: (server: KvServer) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  const token = crypto.randomUUID();
  const port = freePort();
  const server = new Deno.Command(binary, {
    args: [
      ...["--sqlite-path", `${folder}/kv.sqlite`, "serve"],
      ...["--addr", `127.0.0.1:${port}`, "--access-token", token],
    ],
    stdout: "null",
    stderr: "null",
  }).spawn();
  try {
    await answering(port);
    const env = { KV_PATH: `http://127.0.0.1:${port}`, DENO_KV_ACCESS_TOKEN: token };
    await work({ env, port });
  } finally {
    server.kill("SIGTERM");
    await server.status;
    await Deno.remove(folder, { recursive: true });
  }
}

async function answering(port: number): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return;
    } catch (thrown) {
      if (!(thrown instanceof Deno.errors.ConnectionRefused)) throw thrown;
      await pause(TRY_MS);
    }
  }
  throw new Error("the KV server does not answer");
}
