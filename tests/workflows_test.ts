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

Deno.test("workflows: the identity token is only where nothing but the publishing runs", () => {
  const withToken = workflows.flatMap(({ name, lines }) => {
    const head = lines.slice(0, lines.indexOf("jobs:"));
    assert(!head.some((line) => line.includes("id-token")), name);
    return [...jobsOf(lines)].flatMap(([job, steps]) =>
      steps.some((line) => line.includes("id-token")) ? [{ job: `${name} ${job}`, steps }] : []
    );
  });
  assertEquals(withToken.map(({ job }) => job), ["publish.yml publish"]);
  for (const { steps } of withToken) {
    const runs = steps.flatMap((line) => /(?:uses: |run: )(\S+( publish)?)/.exec(line)?.[1] ?? []);
    assertEquals(runs.map((run) => run.split("@")[0]), [
      "actions/checkout",
      "denoland/setup-deno",
      ...PACKAGES.map(() => "deno publish"),
    ]);
    const folders = steps.flatMap((line) => /working-directory: (\S+)/.exec(line)?.[1] ?? []);
    assertEquals(folders, PACKAGES);
    assert(steps.some((line) => line.trim() === "needs: test"));
  }
});
