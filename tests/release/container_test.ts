// test: slow
/**
 * The image and its composition (Dockerfile, compose.yaml), without a builder: their facts, and the
 * health check against a service. `offline_test.ts` starts what the image holds.
 */
import { assert, assertEquals } from "@std/assert";
import { AVAILABLE_LANGUAGES } from "../../runtimes/create_runtimes.ts";
import { variableNames } from "../../service/config_variables.ts";
import { startService } from "../support/service.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));
const DOCKERFILE = read("Dockerfile");
const COMPOSE = read("compose.yaml");
const KNOWN = new Set([
  ...variableNames({ available: AVAILABLE_LANGUAGES, cores: 2 }),
  "DENO_DIR", // of Deno
]);

/** The lines of an instruction of the last stage, joined. */
function instruction(name: string): string {
  const last = DOCKERFILE.slice(DOCKERFILE.lastIndexOf("\nFROM "));
  const [, text = ""] = new RegExp(`^${name} ((?:.*\\\\\n)*.*)$`, "m").exec(last) ?? [];
  return text.replaceAll("\\\n", " ");
}

Deno.test("Dockerfile: both stages have the Deno of CI", () => {
  const [, version] = /deno@(\d+\.\d+\.\d+)/.exec(read(".ci/run")) ?? [];
  const images = [...DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
  assertEquals(images, [`denoland/deno:${version}`, `denoland/deno:${version}`]);
});

Deno.test("Dockerfile: the user is a number that is not root, and owns the folder of the data only", () => {
  const [, user, group] = /^(\d+):(\d+)$/.exec(instruction("USER")) ?? [];
  assert(Number(user) > 0 && Number(group) > 0, instruction("USER"));
  assertEquals(instruction("RUN"), `mkdir /data && chown ${user}:${group} /data`);
  assertEquals([instruction("VOLUME"), instruction("ENTRYPOINT")], ["/data", '["/app/start"]']);
});

Deno.test("Dockerfile: each variable is one that the service knows", () => {
  const names = instruction("ENV").split(" ").map((pair) => pair.split("=")[0] ?? "");
  assertEquals(names.filter((name) => !KNOWN.has(name)), []);
});

Deno.test("compose.yaml: the service has no privileges, and variables that it knows", () => {
  const [, service = ""] = /^ {2}belljar:\n((?: {4}.*\n)+)/m.exec(COMPOSE) ?? [];
  for (
    const line of ["read_only: true", "cap_drop: [ALL]", 'security_opt: ["no-new-privileges:true"]']
  ) {
    assert(service.includes(`    ${line}\n`), line);
  }
  const names = [...service.matchAll(/^ {6}([A-Z_]+):/gm)].map(([, name = ""]) => name);
  assert(names.includes("TOKENS") && names.includes("KV_PATH"), names.join());
  assertEquals(names.filter((name) => !KNOWN.has(name)), []);
});

Deno.test("Dockerfile: the health check passes for a service that is ready, and fails for none", async () => {
  const [, words = "[]"] = /CMD (\[.*\])$/.exec(instruction("HEALTHCHECK")) ?? [];
  const [program, ...args]: string[] = JSON.parse(words);
  assertEquals(program, "deno");
  const check = async (port: string) => {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args,
      env: { PORT: port },
      stdout: "null",
      stderr: "null",
    }).output();
    return success;
  };
  let port = "";
  {
    await using service = await startService({ KV_PATH: ":memory:", LANGUAGES: "javascript" });
    port = new URL(service.url).port;
    assertEquals(await check(port), true);
  }
  assertEquals(await check(port), false);
});
