/** The workflows of the repository: which code of others they run, and beside which rights. */
import { assert, assertEquals } from "@std/assert";
import { PACKAGES } from "./support/packages.ts";

const FOLDER = new URL("../.github/workflows/", import.meta.url);
const workflows = [...Deno.readDirSync(FOLDER)].map(({ name }) => ({
  name,
  lines: Deno.readTextFileSync(new URL(name, FOLDER)).split("\n"),
}));

/** The lines of each job, by its name. */
function jobsOf(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const jobs = new Map<string, string[]>();
  let current: string[] | undefined;
  for (const line of lines.slice(lines.indexOf("jobs:") + 1)) {
    const [, name] = /^ {2}(\w+):$/.exec(line) ?? [];
    if (name !== undefined) jobs.set(name, current = []);
    else current?.push(line);
  }
  return jobs;
}

Deno.test("workflows: each action is named by its commit", () => {
  const used = workflows.flatMap(({ lines }) => lines.filter((line) => line.includes("uses:")));
  assert(used.length > 0);
  for (const line of used) assert(/uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v[\d.]+$/.test(line), line);
});

/** The programs and actions of a job, without versions and options. */
function runsOf(steps: readonly string[]): readonly string[] {
  const runs = steps.flatMap((line) => /(?:uses: |run: )(\S+( publish)?)/.exec(line)?.[1] ?? []);
  return runs.map((run) => run.split("@")[0] ?? "");
}

Deno.test("workflows: the identity token is only where nothing but the publishing runs", () => {
  const withToken = workflows.flatMap(({ name, lines }) => {
    const head = lines.slice(0, lines.indexOf("jobs:"));
    assert(!head.some((line) => line.includes("id-token")), name);
    return [...jobsOf(lines)].filter(([, steps]) => steps.some((line) => line.includes("id-token")))
      .map(([job, steps]) => [`${name} ${job}`, steps] as const);
  });
  assertEquals(withToken.map(([job]) => job), ["publish.yml publish", "publish.yml publish_shell"]);
  const [jsr = [], npm = []] = withToken.map(([, steps]) => steps);
  assertEquals(runsOf(jsr), [
    "actions/checkout",
    "denoland/setup-deno",
    ...PACKAGES.map(() => "deno publish"),
  ]);
  const folders = jsr.flatMap((line) => /working-directory: (\S+)/.exec(line)?.[1] ?? []);
  assertEquals(folders, PACKAGES);
  assert(jsr.some((line) => line.trim() === "needs: test"));
  assertEquals(runsOf(npm), ["actions/download-artifact", "actions/setup-node", "npm publish"]);
  assert(npm.some((line) => line.trim() === "needs: [test, shell]"));
  assert(npm.some((line) => line.includes("npm publish") && line.includes(" --ignore-scripts ")));
});

Deno.test("workflows: the module of the shell is compiled, compared and packed before it is published", () => {
  const publish = workflows.find(({ name }) => name === "publish.yml")?.lines ?? [];
  const steps = jobsOf(publish).get("shell")?.join("\n") ?? "";
  const order = ["deno task shell build", "deno task release:shell", "npm pack", "upload-artifact"];
  const places = order.map((text) => steps.indexOf(text));
  assert(places.every((place, index) => place > (places[index - 1] ?? -1)), places.join());
});
