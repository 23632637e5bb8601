/**
 * The work of a page with the client: each kind of request that it sends, with a token and across
 * origins. Sends the outcome to the page's own server.
 */
import { connect, getSandbox, runCode, SandboxError } from "../../client/mod.ts";

const [url = "", token = ""] = decodeURIComponent(location.hash.slice(1)).split(" ");

async function codeOf(call: Promise<unknown>): Promise<string> {
  const thrown = await call.then(() => undefined, (error: unknown) => error);
  return thrown instanceof SandboxError ? `${thrown.name} ${thrown.httpStatus}` : String(thrown);
}

async function use(): Promise<readonly unknown[]> {
  const env = connect(url, { token });
  const sandbox = getSandbox<typeof env>(env.Sandbox, "page");
  const { interpreter, files } = sandbox;
  const context = await interpreter.createCodeContext({ binding: "JAVASCRIPT" });
  await files.write("bytes", Uint8Array.of(0, 1, 255));
  await interpreter.runCode("const n = require('fs').readFileSync('bytes').length", { context });
  const { results } = await interpreter.runCode("n", { context });
  const lines: string[] = [];
  const repeated = {
    context,
    idempotencyKey: crypto.randomUUID(),
    ifExecutions: 2,
    stdin: "from the page",
    onStdout: ({ text }: { readonly text: string }) => void lines.push(text),
  };
  const code = "console.log(require('fs').readFileSync(0, 'utf8')); n";
  await interpreter.runCode(code, repeated);
  await interpreter.runCode(code, repeated);
  await files.upload("folder/blob", new Blob([Uint8Array.of(0, 255)]));
  const stream = await files.downloadStream("folder/blob");
  const listed: string[] = [];
  for await (const { id } of env.Sandbox.list()) listed.push(id);
  await interpreter.deleteCodeContext(context.id);
  const seen = [
    (await runCode(env.JAVASCRIPT, "6 * 7")).results[0]?.text,
    results[0]?.text,
    [...await files.readBytes("bytes")],
    lines,
    [...await files.download("folder/blob")],
    (await new Response(stream).arrayBuffer()).byteLength,
    listed,
    await codeOf(files.upload("bytes", "x", { ifNoneMatch: "*" })),
    (await interpreter.listCodeContexts()).length,
    await codeOf(files.read("missing")),
    await codeOf(runCode(connect(url, { token: "wrong" }).JAVASCRIPT, "1")),
    await codeOf(runCode(env.JAVASCRIPT, "while (true) {}", { timeout: 100 })),
  ];
  await sandbox.destroy();
  return [...seen, (await sandbox.info()).createdAt];
}

const report = await use().catch((error: unknown) => [String(error)]);
await fetch("/report", { method: "POST", body: JSON.stringify(report) });
