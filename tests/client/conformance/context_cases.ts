/** Code contexts (docs/contract.md#client-code-contexts). */
import { assert, assertEquals, assertInstanceOf, assertRejects } from "@std/assert";
import {
  ContextNotFoundError,
  getSandbox,
  SandboxError,
  ValidationFailedError,
} from "../../../client/mod.ts";
import { type ConformanceCase, inSandbox } from "./case.ts";

/** Cases about contexts, without runs. */
export const CONTEXT_CASES: readonly ConformanceCase[] = [
  inSandbox("createCodeContext: gives a CodeContext with dates", async ({ interpreter }) => {
    const context = await interpreter.createCodeContext({ binding: "PYTHON" });
    assertEquals([context.binding, context.language, context.cwd], [
      "PYTHON",
      "python",
      "/workspace",
    ]);
    assert(context.id !== "");
    assertInstanceOf(context.createdAt, Date);
    assertInstanceOf(context.lastUsed, Date);
  }),
  inSandbox("createCodeContext: cwd is used", async ({ interpreter, files }) => {
    await files.mkdir("data");
    const cwd = "/workspace/data";
    assertEquals((await interpreter.createCodeContext({ binding: "PERL", cwd })).cwd, cwd);
  }),
  inSandbox("createCodeContext: an undefined variable is dropped", async (sandbox) => {
    await sandbox.setEnvVars({ INHERITED: "from the sandbox" });
    const context = await sandbox.interpreter.createCodeContext({
      binding: "JAVASCRIPT",
      envVars: { OWN: "1", INHERITED: undefined },
    });
    const code = "[process.env.OWN, process.env.INHERITED]";
    const { results } = await sandbox.interpreter.runCode(code, { context });
    assertEquals(results[0]?.json, ["1", "from the sandbox"]);
  }),
  {
    name: "createCodeContext: Unknown binding 'X'",
    run: async (env) => {
      const { interpreter } = getSandbox(env.Sandbox, "nobody");
      for (const binding of ["NOPE", "no-name", "", "__proto__"]) {
        const error = await assertRejects(
          () => interpreter.createCodeContext({ binding }),
          ValidationFailedError,
        );
        // names that exist may follow
        assertEquals(error.message.split(":")[0], `Unknown binding '${binding}'`);
        assertInstanceOf(error, SandboxError);
      }
    },
  },
  inSandbox(
    "createCodeContext: Code contexts are not supported by binding 'RUBY' (ruby)",
    async ({ interpreter }) => {
      const create = () => interpreter.createCodeContext({ binding: "RUBY" });
      const { message } = await assertRejects(create, ValidationFailedError);
      assertEquals(message, "Code contexts are not supported by binding 'RUBY' (ruby)");
    },
  ),
  inSandbox("createCodeContext: a ninth context is refused", async ({ interpreter }) => {
    for (let n = 0; n < 8; n++) await interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    const ninth = () => interpreter.createCodeContext({ binding: "PYTHON" });
    assertEquals((await assertRejects(ninth, ValidationFailedError)).httpStatus, 400);
  }),
  inSandbox("listCodeContexts: every context, of every binding", async ({ interpreter }) => {
    assertEquals(await interpreter.listCodeContexts(), []);
    const made = [
      await interpreter.createCodeContext({ binding: "JAVASCRIPT" }),
      await interpreter.createCodeContext({ binding: "PYTHON" }),
      await interpreter.createCodeContext({ binding: "JAVASCRIPT" }),
    ];
    const listed = await interpreter.listCodeContexts();
    const ids = (contexts: readonly { id: string }[]) => contexts.map(({ id }) => id).sort();
    assertEquals(ids(listed), ids(made));
    assert(listed.every(({ createdAt }) => createdAt instanceof Date));
  }),
  inSandbox("deleteCodeContext: the context is gone, files stay", async (sandbox) => {
    const { interpreter, files } = sandbox;
    const context = await interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    await files.write("kept.txt", "still here");
    assertEquals(await interpreter.deleteCodeContext(context.id), undefined);
    assertEquals(await interpreter.listCodeContexts(), []);
    assertEquals(await files.read("kept.txt"), "still here");
    const run = () => interpreter.runCode("1", { context });
    assertEquals((await assertRejects(run, ContextNotFoundError)).httpStatus, 404);
  }),
  inSandbox("deleteCodeContext: an unknown id is a ContextNotFoundError", async (sandbox) => {
    await sandbox.files.write("kept.txt", "still here");
    for (const id of ["unknown", "", ".", "..", "a/../..", "%2e%2e", "?x", "\ud800"]) {
      const remove = () => sandbox.interpreter.deleteCodeContext(id);
      const error = await assertRejects(remove, ContextNotFoundError);
      assertEquals([error.code, error.httpStatus], ["CONTEXT_NOT_FOUND", 404]);
    }
    assertEquals(await sandbox.files.read("kept.txt"), "still here");
  }),
];
