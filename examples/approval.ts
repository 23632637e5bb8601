/**
 * A program that waits for a person's approval, for a minute or a night. The first start of this example
 * begins the program and leaves it waiting. Stop the service, kill it, update it, start it again on the
 * same store: the second start of this example approves, and the program goes on where it waited.
 *
 *     BELLJAR_URL=http://127.0.0.1:8000 deno run --allow-net --allow-env approval.ts
 */
import { connect, getSandbox } from "@belljar/client";

const url = Deno.env.get("BELLJAR_URL") ?? "http://127.0.0.1:8000";
const token = Deno.env.get("BELLJAR_TOKEN");
const env = connect(url, { token });
const sandbox = getSandbox<typeof env>(env.Sandbox, "approval");

const CODE = `
total = sum([19, 23])
print(f"asking for {total}")
answer = tools.pay.approve(amount=total)
print(f"paid {total}, approved by {answer['by']}")`;

/** Begins the program without answering its call, which the client would do at once. */
async function begin(): Promise<void> {
  const answer = await fetch(`${url}/languages/python/sandboxes/approval/execute`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify({
      code: CODE,
      tools: [{ name: "pay.approve", description: "Asks a person to approve a payment." }],
    }),
  });
  const { logs, waiting } = await answer.json();
  console.log(logs.stdout.join("\n"));
  for (const { name, arguments: args } of waiting.calls) {
    console.log(`waits for ${name} ${JSON.stringify(args)}`);
  }
}

const runs = await sandbox.runs.list();
const run = runs.find(({ state }) => state === "waiting");
if (run === undefined) {
  await begin();
} else {
  const { waiting } = await sandbox.runs.get(run.id);
  const answers = (waiting?.calls ?? []).map(({ key }) => ({ key, value: { by: "Ada" } }));
  const { logs } = await sandbox.runs.answer(run.id, answers);
  console.log(logs.stdout.join("\n"));
  await sandbox.destroy();
}
