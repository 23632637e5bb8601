/**
 * Checkpoints: a state of a whole sandbox to go back to. A restore brings back the memory of all
 * contexts, the files and the variables, in one step.
 *
 *     BELLJAR_URL=http://127.0.0.1:8000 deno run --allow-net --allow-env checkpoint.ts
 */
import { connect, getSandbox } from "@belljar/client";

const env = connect(Deno.env.get("BELLJAR_URL") ?? "http://127.0.0.1:8000", {
  token: Deno.env.get("BELLJAR_TOKEN"),
});
await using sandbox = getSandbox<typeof env>(env.Sandbox, crypto.randomUUID(), { ephemeral: true });

/** Runs in the default context of JavaScript and prints the value. */
async function show(code: string): Promise<void> {
  const { results, error } = await sandbox.interpreter.runCode(code, { binding: "JAVASCRIPT" });
  console.log(error?.message ?? results[0]?.text);
}

await show(`
  import { writeFileSync, readFileSync, existsSync } from "node:fs";
  const accounts = new Map([["ada", 100], ["grace", 50]]);
  writeFileSync("ledger.txt", "opened");
  accounts.size`);

const { id } = await sandbox.checkpoints.create({ name: "before the migration" });

await show(`accounts.clear(); writeFileSync("ledger.txt", "migrated"); accounts.size`);

await sandbox.checkpoints.restore(id);
await show(`accounts.size + " accounts, ledger " + readFileSync("ledger.txt", "utf8")`);
