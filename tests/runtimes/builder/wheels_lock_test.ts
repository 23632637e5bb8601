/**
 * A build holds the folder of wheels against the lock beside them.
 */
import { assertEquals, assertRejects } from "@std/assert";
import { readBuildInputs } from "../../../runtimes/builder/build_inputs.ts";
import { RuntimesRefused } from "../../../shared/binding.ts";
import { FakeIndex } from "./wheels/fake_index.ts";

const ALPHA = "alpha-1-py3-none-any.whl";

async function lockedFolder(): Promise<FakeIndex> {
  const index = await FakeIndex.start([{ is: "alpha 1" }, { is: "beta 1" }]);
  assertEquals((await index.run("add alpha beta")).code, 0);
  return index;
}

async function refusal(folder: string): Promise<string> {
  const { message } = await assertRejects(
    () => readBuildInputs({ pythonWheels: folder }),
    RuntimesRefused,
  );
  return message;
}

Deno.test("wheels lock: a build takes the wheels that it names, and the operator's own", async () => {
  await using index = await lockedFolder();
  await Deno.writeTextFile(`${index.folder}/own-1-py3-none-any.whl`, "own");
  const { pythonWheels } = await readBuildInputs({ pythonWheels: index.folder });
  assertEquals(pythonWheels.map(({ name }) => name), [
    ALPHA,
    "beta-1-py3-none-any.whl",
    "own-1-py3-none-any.whl",
  ]);
});

Deno.test("wheels lock: a changed, a missing and a second wheel are refused by name", async () => {
  await using index = await lockedFolder();
  const { folder } = index;
  const bytes = await Deno.readFile(`${folder}/${ALPHA}`);
  await Deno.writeFile(`${folder}/${ALPHA}`, bytes.with(50, 1 ^ (bytes[50] ?? 0)));
  assertEquals(
    await refusal(folder),
    `PYTHON_WHEELS: ${ALPHA} is not the file that wheels.lock.json names: its SHA-256 differs; ` +
      "deno task wheels add fetches it again",
  );
  await Deno.remove(`${folder}/${ALPHA}`);
  assertEquals(
    await refusal(folder),
    `PYTHON_WHEELS: ${ALPHA} is missing, which wheels.lock.json names: deno task wheels add fetches it`,
  );
  await Deno.writeFile(`${folder}/${ALPHA}`, bytes);
  await Deno.writeFile(`${folder}/Alpha-2-py3-none-any.whl`, bytes);
  assertEquals(
    await refusal(folder),
    `PYTHON_WHEELS: Alpha-2-py3-none-any.whl and ${ALPHA} are the same package: ` +
      "remove the one that is not wanted",
  );
});

Deno.test("wheels lock: a damaged lock is refused", async () => {
  await using index = await lockedFolder();
  await Deno.writeTextFile(`${index.folder}/wheels.lock.json`, "{");
  assertEquals(
    (await refusal(index.folder)).slice(0, 42),
    "PYTHON_WHEELS: wheels.lock.json is damaged",
  );
});
