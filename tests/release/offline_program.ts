/**
 * Runs `./start` of an unpacked release, works with it, starts it again, and writes a report: a
 * program of its own, because it runs in a namespace without a network.
 *
 * Arguments: the unpacked folder, the folder of the data, and the file of the report.
 */
import { type OfflineReport, READY } from "./offline_report.ts";

const PROGRAMS = {
  javascript: ["globalThis.n = 41", "n + 1"],
  python: ["n = 41", "n + 1"],
  perl: ["$n = 41", "$n + 1"],
  shell: ["n=41", "echo $((n + 1))"],
} as const;
const STATELESS = { javascript: "6 * 7", python: "6 * 7", perl: "6 * 7", ruby: "6 * 7" } as const;

interface Started {
  readonly url: string;
  /** Ends it by SIGTERM; gives the exit code and all that it wrote. */
  end(): Promise<readonly [code: number, output: string]>;
}

/** Starts the release with `PATH` and `KV_PATH` only: no home, no folder of Deno. */
async function start(folder: string, data: string): Promise<Started> {
  const child = new Deno.Command("./start", {
    cwd: folder,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", PORT: "0", KV_PATH: `${data}/data.sqlite3` },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let written = "";
  const listening = Promise.withResolvers<string>();
  const collect = async (stream: ReadableStream<Uint8Array>) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) {
      written += text;
      const url = READY.exec(written)?.[1];
      if (url !== undefined) listening.resolve(url);
    }
  };
  const ended = Promise.all([child.status, collect(child.stdout), collect(child.stderr)]);
  ended.then(([{ code }]) => listening.reject(new Error(`Ended with ${code}:\n${written}`)));
  return {
    url: await listening.promise,
    end: async () => {
      child.kill("SIGTERM");
      const [{ code }] = await ended;
      return [code, written];
    },
  };
}

async function call(url: string, body?: unknown) {
  const response = await fetch(url, {
    headers: { "content-type": "application/json", accept: "application/json, text/html" },
    ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** The text of a run's result, or its output. */
function valueOf({ text }: { readonly text: string }): string {
  const { results = [], logs } = JSON.parse(text);
  return results[0]?.text ?? logs?.stdout.join("\n") ?? text;
}

async function work(folder: string, data: string): Promise<OfflineReport> {
  const first = await start(folder, data);
  const health = await call(`${first.url}/healthz`);
  const stateless: Record<string, string> = {};
  for (const [language, code] of Object.entries(STATELESS)) {
    stateless[language] = valueOf(await call(`${first.url}/execute/${language}`, { code }));
  }
  const { languages } = JSON.parse(health.text);
  const served: readonly string[] = languages.map(({ id }: { readonly id: string }) => id);
  const chosen = Object.entries(PROGRAMS).filter(([language]) => served.includes(language));
  for (const [language, [code]] of chosen) {
    await call(`${first.url}/languages/${language}/sandboxes/box/execute`, { code });
  }
  const file = "/languages/python/sandboxes/box/files";
  await call(`${first.url}${file}`, { op: "write", path: "notes.txt", content: "kept" });
  const statuses: Record<string, number> = {};
  for (
    const path of ["/", "/client.mjs", "/client.d.ts", "/client.tgz", "/client.whl", "/readyz"]
  ) {
    statuses[path] = (await call(`${first.url}${path}`)).status;
  }
  const [firstCode, firstOutput] = await first.end();
  const second = await start(folder, data);
  const contexts: Record<string, string> = {};
  for (const [language, [, code]] of chosen) {
    const path = `/languages/${language}/sandboxes/box/execute`;
    contexts[language] = valueOf(await call(`${second.url}${path}`, { code }));
  }
  const read = await call(`${second.url}${file}`, { op: "read", path: "notes.txt" });
  const [secondCode, secondOutput] = await second.end();
  return {
    commit: JSON.parse(health.text).commit,
    version: JSON.parse(health.text).version,
    served,
    stateless,
    statuses,
    contexts,
    file: JSON.parse(read.text).content,
    codes: [firstCode, secondCode],
    output: `${firstOutput}${secondOutput}`,
  };
}

if (import.meta.main) {
  const [folder = "", data = "", report = ""] = Deno.args;
  await Deno.writeTextFile(report, JSON.stringify(await work(folder, data)));
}
