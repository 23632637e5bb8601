// test: long
/** Jupyter's own clients against a real service: jupyter-kernel-client, and nbconvert by jupyter_client. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { KillableService } from "../../support/kill_service.ts";
import { startService } from "../../support/service.ts";
import { clientTest, PYTHON } from "../../support/test_clients.ts";
import { rest } from "./client.ts";

const PROGRAM = new URL("./kernel_client.py", import.meta.url).pathname;
const ANN = "ann-0123456789abcdef";
const BOB = "bob-0123456789abcdef";
const LEASE_MS = 1_000;

type Messages = readonly (readonly [type: string, content: unknown])[];
type Cell = readonly [status: string, error: string, messages: Messages];

interface Conversation {
  readonly [cell: string]: Cell;
}

/** Talks to a kernel; gives its id, and what was said in each cell. */
async function talk(url: string, token: string, kernel = "") {
  const { code, stdout, stderr } = await new Deno.Command(PYTHON, {
    args: [PROGRAM, `${url}/jupyter`, token, kernel],
    env: { JUPYTER_PREFER_ENV_PATH: "1" },
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  const { id, kernels, language, ...cells } = JSON.parse(new TextDecoder().decode(stdout));
  return {
    id: String(id),
    kernels: kernels as readonly string[],
    language,
    cells: cells as Conversation,
  };
}

function textOf([, , messages]: Cell): string {
  return messages.filter(([type]) => type === "stream").map(([, text]) => text).join("");
}

clientTest(
  "jupyter clients: a conversation by jupyter-kernel-client, two users apart, and a kernel after kill -9",
  "package jupyter_kernel_client",
  async () => {
    const folder = await Deno.makeTempDir();
    const options = {
      kvPath: `${folder}/data.sqlite3`,
      leaseMs: LEASE_MS,
      env: { LANGUAGES: "python", TOKENS: `ann:${ANN},bob:${BOB}` },
    };
    try {
      let kernel = "";
      {
        await using service = await KillableService.start(options);
        const { id, kernels, language, cells } = await talk(service.url, ANN);
        assertEquals([language, kernels], ["python", [id]]);
        const { code, plot, file, error, input, interrupt, after } = cells;
        assert(code && plot && file && error && input && interrupt && after);
        assertEquals([code[0], textOf(code)], ["ok", "hello\n"]);
        assertEquals(code[2].at(-1), ["execute_result", { "text/plain": "42" }]);
        assertEquals(plot[0], "ok");
        assertStringIncludes(JSON.stringify(plot[2]), "image/svg+xml");
        assertEquals(file[2], [["execute_result", { "text/plain": "4" }]]);
        assertEquals([error[0], error[1]], ["error", "ZeroDivisionError"]);
        assertEquals([input[2][0], textOf(input)], [["asked", "Name? "], "Ada\n"]);
        assertEquals([interrupt[0], interrupt[1]], ["error", "KeyboardInterrupt"]);
        assertEquals(after[2], [["execute_result", { "text/plain": "40" }]]);
        const bob = await talk(service.url, BOB);
        assertEquals(bob.kernels, [bob.id]);
        const foreign = await rest({ url: service.url, token: BOB }, `GET /kernels/${id}`);
        assertEquals(foreign.status, 404);
        kernel = id;
        await service.kill(true);
      }
      await using service = await KillableService.start(options);
      const { cells: { kept } } = await talk(service.url, ANN, kernel);
      assertEquals(kept?.[2], [["execute_result", { "text/plain": "(40, 'kept')" }]]);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);

const code = (source: string) => ({
  cell_type: "code",
  execution_count: null,
  id: crypto.randomUUID().slice(0, 8),
  metadata: {},
  outputs: [],
  source,
});

clientTest(
  "jupyter clients: nbconvert executes a notebook, with a plot, a file, an error and an interrupt",
  "package nbconvert",
  async () => {
    const folder = await Deno.makeTempDir();
    await using service = await startService({ LANGUAGES: "python" });
    try {
      const cells = [
        "x = 40\nprint('hello')\nx + 2",
        "import turtle\nturtle.forward(50)\nturtle.done()",
        "open('f', 'w').write('a file')\nopen('f').read()",
        "1 / 0",
        "while True: pass",
        "x",
      ].map(code);
      const kernelspec = { name: "python3", display_name: "Python", language: "python" };
      const notebook = { cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
      await Deno.writeTextFile(`${folder}/in.ipynb`, JSON.stringify(notebook));
      const manager = "jupyter_server.gateway.managers.GatewayKernelManager";
      const { code: exit, stderr } = await new Deno.Command(PYTHON, {
        args: [
          ...["-m", "nbconvert", "--to", "notebook", "--execute", "--allow-errors"],
          `--ExecutePreprocessor.kernel_manager_class=${manager}`,
          "--ExecutePreprocessor.timeout=20",
          "--ExecutePreprocessor.interrupt_on_timeout=True",
          ...["--output", "out.ipynb", "in.ipynb"],
        ],
        cwd: folder,
        env: { JUPYTER_GATEWAY_URL: `${service.url}/jupyter`, HOME: folder },
      }).output();
      assertEquals(exit, 0, new TextDecoder().decode(stderr));
      const done = JSON.parse(await Deno.readTextFile(`${folder}/out.ipynb`));
      const outputs = done.cells.map(({ outputs }: { outputs: unknown }) =>
        JSON.stringify(outputs)
      );
      const expected = ["hello", "image/svg+xml", "'a file'", "ZeroDivisionError", "", "40"];
      for (const [at, text] of expected.entries()) assertStringIncludes(outputs[at] ?? "", text);
      assertStringIncludes(outputs[0] ?? "", "42");
      assertStringIncludes(outputs[4] ?? "", "Error");
      const left = await rest({ url: service.url }, "GET /kernels");
      assertEquals(left.json, [], "nbconvert ends its kernel");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
