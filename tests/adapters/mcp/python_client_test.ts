// test: long
/** The official Python client at its default settings, against a real service. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { z } from "zod";
import { runSchema } from "../../../adapters/mcp/run_schemas.ts";
import { type LineProgram, startLines } from "../../support/line_program.ts";
import { freePort, startOnPort, startProgram } from "../../support/program.ts";
import { type Service, startService } from "../../support/service.ts";
import { clientTest, PYTHON } from "../../support/test_clients.ts";

const PROGRAM = new URL("./python_client.py", import.meta.url).pathname;
/** How it agrees on a revision: the newest one, and that of `initialize`. */
const MODES = ["auto", "legacy"] as const;

const toldSchema = z.object({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().optional(),
  told: z.array(z.string()),
});
const answerSchema = z.union([
  z.object({ results: z.array(toldSchema) }),
  z.object({ raised: z.string() }),
]);

interface ClientOptions {
  readonly mode?: (typeof MODES)[number];
  readonly token?: string;
}

/** Starts a client that is connected, or says why it is not. */
async function startClient(
  url: string,
  { mode = "auto", token = "" }: ClientOptions = {},
): Promise<LineProgram & { readonly first: unknown }> {
  const program = startLines(PYTHON, [PROGRAM, `${url}/mcp`, mode, token]);
  return { ...program, first: await program.next() };
}

/** Calls a tool some times at once. */
async function calls(
  client: LineProgram,
  call: string,
  args: { readonly [name: string]: unknown },
  times = 1,
): Promise<readonly z.infer<typeof toldSchema>[]> {
  const answer = answerSchema.parse(await client.ask({ call, args, times }));
  if ("raised" in answer) throw new Error(answer.raised);
  return answer.results;
}

async function called(
  client: LineProgram,
  call: string,
  args: { readonly [name: string]: unknown },
): Promise<z.infer<typeof toldSchema>> {
  const [result] = await calls(client, call, args);
  assert(result !== undefined);
  return result;
}

function textOf({ content: [first] }: z.infer<typeof toldSchema>): string {
  return first?.text ?? "";
}

const python = (code: string, more: { readonly [name: string]: string } = {}) => ({
  language: "python",
  code,
  ...more,
});

async function everyTool(service: Service): Promise<void> {
  for (const mode of MODES) {
    await using client = await startClient(service.url, { mode });
    assertEquals(client.first, { ready: true });
    assertEquals(await client.ask({ list: true }), {
      results: [
        "run_code",
        "answer_run",
        "cancel_run",
        "write_file",
        "read_file",
        "list_files",
        "delete_sandbox",
        "save_checkpoint",
        "restore_checkpoint",
        "delete_checkpoint",
      ],
    });
    const box = { sandbox: `Box.${mode}` };
    const path = "Ordner ä/größe 1 ☃.txt";
    const text = "Zeile 1\nZeile „2“\n";
    assertStringIncludes(
      textOf(await called(client, "write_file", { ...box, path, text })),
      `/workspace/${path}`,
    );
    assertEquals(textOf(await called(client, "read_file", { ...box, path })), text);
    assertStringIncludes(
      textOf(await called(client, "list_files", { ...box, path: "Ordner ä" })),
      "größe 1 ☃.txt",
    );
    const named = { ...box, context: "mein Kontext ü" };
    const run = await called(client, "run_code", python("a = 6\nprint(a)\nprint('ü')\na", named));
    assertEquals(run.told, ["6", "ü"]);
    assertStringIncludes(textOf(run), "[result]\n6");
    assertEquals(
      runSchema.parse(
        (await called(client, "run_code", python("a * 7", named))).structuredContent,
      ).results,
      [{ text: "42" }],
    );
    const failed = await called(client, "run_code", python("a", box));
    assertEquals([failed.isError, textOf(failed).includes("NameError")], [true, true]);
    const unknown = await client.ask({ call: "no_tool", args: {} });
    assertStringIncludes(JSON.stringify(unknown), "raised");
    assertEquals(
      (await called(client, "run_code", { language: "cobol", code: "1" })).isError,
      true,
    );
    await called(client, "delete_sandbox", box);
    assertStringIncludes(textOf(await called(client, "list_files", box)), "0 entries");
  }
}

async function longOutput(service: Service): Promise<void> {
  for (const mode of MODES) {
    await using client = await startClient(service.url, { mode });
    const programs = {
      "a line of nearly 1 MiB": "print('x' * (1024 * 1024 - 2))",
      "many lines": "for n in range(9_999): print('x' * 103)",
      "control characters": "print('\\x01' * 1_000_000)",
      "to both streams": "import sys\nprint('x' * 600_000)\nprint('y' * 440_000, file=sys.stderr)",
    };
    for (const [what, code] of Object.entries(programs)) {
      const told = await called(client, "run_code", python(code));
      assertEquals([what, told.isError], [what, false], textOf(told).slice(-300));
      assertStringIncludes(textOf(told), "[... cut here: ");
      runSchema.parse(told.structuredContent);
    }
    const over = await called(client, "run_code", python("print('x' * 2_000_000)"));
    assertEquals(over.isError, true);
    const box = { sandbox: "long" };
    await called(client, "run_code", python("open('f', 'w').write('ü' * 1_000_000)", box));
    let [offset, length]: [number | undefined, number] = [0, 0];
    while (offset !== undefined) {
      const part = await called(client, "read_file", {
        ...box,
        path: "f",
        offset,
        limit: 4_194_304,
      });
      const read = z.object({ text: z.string(), nextOffset: z.number().optional() })
        .parse(part.structuredContent);
      [offset, length] = [read.nextOffset, length + read.text.length];
    }
    assertEquals(length, 1_000_000);
  }
}

async function figures(service: Service): Promise<void> {
  await using client = await startClient(service.url);
  // a PNG without matplotlib: what shows itself is a display
  const code = `
import struct, zlib
def chunk(kind, data):
    return struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data))
class Figure:
    def _repr_png_(self):
        rows = b'\\0' + b'\\xff\\0\\0'
        return (b'\\x89PNG\\r\\n\\x1a\\n' + chunk(b'IHDR', struct.pack('>IIBBBBB', 1, 1, 8, 2, 0, 0, 0))
                + chunk(b'IDAT', zlib.compress(rows)) + chunk(b'IEND', b''))
Figure()`;
  const { content } = await called(client, "run_code", python(code));
  const [, image] = content;
  assertEquals([image?.type, image?.mimeType], ["image", "image/png"]);
  assert(String(image?.data).startsWith("iVBORw0KGgo"));
}

async function manyAtOnce(service: Service): Promise<void> {
  await using client = await startClient(service.url);
  const runs = await calls(client, "run_code", python("print('a')\n6 * 7"), 50);
  assertEquals(runs.map(textOf), Array(50).fill("a\n[result]\n42"));
  assertEquals(runs.map(({ told }) => told), Array(50).fill(["a"]));
  const args = python("n = globals().get('n', 0) + 1; n", { sandbox: "counted" });
  const counted = await calls(client, "run_code", args, 20);
  assertEquals(
    counted.map((told) => Number(/\d+/.exec(textOf(told))?.[0])).sort((one, other) => one - other),
    Array.from({ length: 20 }, (_, n) => n + 1),
  );
}

const HOLDS: Readonly<Record<string, (service: Service) => Promise<void>>> = {
  "every tool, with names that have spaces and umlauts, in both ways to connect": everyTool,
  "output of 1 MiB and long files come in messages that the client takes": longOutput,
  "a figure is an image": figures,
  "fifty calls at once are all answered": manyAtOnce,
};

clientTest("mcp python client: against one service", "Python packages", async (test) => {
  await using service = await startService({ LANGUAGES: "python" });
  for (const [what, holds] of Object.entries(HOLDS)) {
    await test.step(what, () => holds(service));
  }
});

clientTest(
  "mcp python client: one that cancels, dies or stops to read leaves the context as before",
  "Python packages",
  async () => {
    const env = { FUEL_PYTHON: "800000000000", WALL_MS: "300000", RUNS_PER_TENANT: "2" };
    await using service = await startService({ LANGUAGES: "python", ...env });
    await using other = await startClient(service.url);
    const box = { sandbox: "left" };
    await called(other, "run_code", python("kept = 1", box));
    const endless = {
      call: "run_code",
      args: python("kept = 2\nprint('on')\nwhile True: pass", box),
    };
    for (const mode of MODES) {
      {
        await using client = await startClient(service.url, { mode });
        assertEquals(await client.ask({ ...endless, leave: true }), {
          results: [{ cancelled: true }],
        });
        const now = await called(client, "run_code", python("kept", box));
        assertEquals(textOf(now), "[result]\n1");
      }
      {
        await using client = await startClient(service.url, { mode });
        const broken = client.ask({ ...endless, announce: true });
        assertEquals(await broken, { told: "on" });
        client.signal("SIGKILL");
      }
      assertEquals(textOf(await called(other, "run_code", python("kept", box))), "[result]\n1");
    }
    await using slow = await startClient(service.url);
    const output = python("for n in range(9_999): print('x' * 90)\n7");
    assertEquals(await slow.ask({ call: "run_code", args: output, announce: true }), {
      told: "x".repeat(90),
    });
    slow.signal("SIGSTOP");
    try {
      // who does not read holds up nobody
      const runs = await calls(other, "run_code", python("6 * 7"), 10);
      assertEquals(runs.map(textOf), Array(10).fill("[result]\n42"));
    } finally {
      slow.signal("SIGCONT");
    }
    const answer = answerSchema.parse(await slow.next());
    assert("results" in answer && answer.results[0] !== undefined);
    assert(textOf(answer.results[0]).endsWith("[result]\n7"));
  },
);

clientTest(
  "mcp python client: one goes on with a service that was killed and started again",
  "Python packages",
  async () => {
    const folder = await Deno.makeTempDir();
    try {
      const port = freePort();
      const env = { KV_PATH: `${folder}/kv.sqlite3`, PORT: String(port), LANGUAGES: "python" };
      const start = () => startOnPort(() => startProgram({ env, stderr: "inherit" }));
      const box = { sandbox: "lasting", context: "c" };
      const before = await start();
      await using client = await startClient(before.url);
      await called(client, "run_code", python("a = 21", box));
      await called(client, "write_file", { sandbox: "lasting", path: "f", text: "kept" });
      await before.end("SIGKILL");
      await using _after = await start();
      assertEquals(textOf(await called(client, "run_code", python("a * 2", box))), "[result]\n42");
      const read = { sandbox: "lasting", path: "f" };
      assertEquals(textOf(await called(client, "read_file", read)), "kept");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

clientTest(
  "mcp python client: a wrong token is refused, a quota says what to do, tenants are apart",
  "Python packages",
  async () => {
    const env = { TOKENS: "a:alpha,b:beta", MAX_SANDBOXES: "1", LANGUAGES: "python" };
    await using service = await startService(env);
    for (const token of ["", "gamma"]) {
      await using client = await startClient(service.url, { token });
      assertStringIncludes(JSON.stringify(client.first), "Server returned an error response");
    }
    await using alpha = await startClient(service.url, { token: "alpha" });
    await using beta = await startClient(service.url, { token: "beta" });
    await called(alpha, "write_file", { sandbox: "one", path: "f", text: "secret" });
    const foreign = await called(beta, "read_file", { sandbox: "one", path: "f" });
    assertEquals([foreign.isError, textOf(foreign).includes("404")], [true, true]);
    const full = await called(alpha, "run_code", python("1", { sandbox: "two" }));
    assertEquals(full.isError, true);
    assertStringIncludes(textOf(full), "NO_SPACE, status 507). Delete files or sandboxes");
  },
);
