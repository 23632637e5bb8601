// test: long
/**
 * The image of the Dockerfile, built by buildah on a Debian that debootstrap makes in place of Deno's
 * image, and run as Docker runs it: its user, its entry point, a root that is read-only, the volume.
 * Takes some minutes, and needs a network.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { temporaryFolder } from "../client/deno_command.ts";
import { commandIn, missingPrograms, type RootProgram } from "../support/debian_root.ts";
import { buildImage, IMAGE_PROGRAMS } from "../support/image.ts";
import { jsonPost } from "../support/json_post.ts";
import { freePort } from "../support/program.ts";
import { answers, until } from "../support/wait.ts";

const MISSING = missingPrograms(IMAGE_PROGRAMS);
const COMMIT = "0123456789012345678901234567890123456789";
const TOKEN = "0123456789abcdef";

Deno.test({
  name: `Dockerfile: the image is built, and serves as its user on a root that is read-only${
    MISSING.length === 0 ? "" : ` (needs ${MISSING.join(", ")})`
  }`,
  ignore: MISSING.length > 0,
  fn: async (t) => {
    await using folder = await temporaryFolder();
    const { root, config } = await buildImage(folder.path, COMMIT);
    const [uid = NaN, gid = NaN] = config.User.split(":").map(Number);
    const data = `${folder.path}/data`;
    await Deno.mkdir(data);
    await Deno.chown(data, uid, gid);
    const port = String(freePort());
    const ofImage = Object.fromEntries(config.Env.map((pair) => pair.split(/=(.*)/s)));
    const env = { ...ofImage, PORT: port, LANGUAGES: "javascript,python" };
    const program = (more: Pick<RootProgram, "command"> & Partial<RootProgram>): RootProgram => ({
      ...{ root, user: config.User, env, readOnly: true, folder: { of: data, at: "/data" } },
      ...more,
    });
    const ended = async (one: RootProgram) => {
      const output = await commandIn(one, { stdout: "piped", stderr: "piped" }).output();
      return { code: output.code, stderr: new TextDecoder().decode(output.stderr) };
    };
    const isHealthy = async () => {
      const [, ...command] = config.Healthcheck.Test;
      return (await ended(program({ command }))).code === 0;
    };
    const url = `http://127.0.0.1:${port}`;
    const call = async (path: string, code: string) => {
      const init = jsonPost({ code });
      const headers = { ...init.headers, authorization: `Bearer ${TOKEN}` };
      const answer = await fetch(`${url}${path}`, { ...init, headers });
      const { results } = await answer.json();
      return [answer.status, results?.[0]?.text];
    };
    /** Starts a container, works with it, and stops it as Docker does. */
    const serving = async (work: (pid: number) => Promise<void>) => {
      const one = program({
        command: config.Entrypoint,
        env: { ...env, TOKENS: `alice:${TOKEN}` },
      });
      const child = commandIn(one, { stdout: "null", stderr: "null" }).spawn();
      try {
        await until(() => answers(`${url}/readyz`));
        await work(child.pid);
      } catch (thrown) {
        child.kill("SIGKILL");
        await child.status;
        throw thrown;
      }
      child.kill("SIGTERM");
      assertEquals((await child.status).code, 0);
    };

    await t.step("without tokens it does not start, and says so", async () => {
      const { code, stderr } = await ended(program({ command: config.Entrypoint }));
      assertEquals(code, 1);
      assertStringIncludes(stderr, "TOKENS");
    });

    await t.step("its user can write to the volume only", async () => {
      assertEquals(Object.keys(config.Volumes), ["/data"]);
      for (const [place, code] of [["/", 1], ["/app/", 1], ["/tmp/", 1], ["/data/", 0]] as const) {
        const made = await ended(program({ command: ["touch", `${place}file`] }));
        assertEquals([place, made.code], [place, code]);
      }
    });

    const box = "/languages/python/sandboxes/box/execute";
    await t.step("it runs programs, is healthy, and stops in order", async () => {
      assertEquals(await isHealthy(), false);
      await serving(async (pid) => {
        const health = await (await fetch(`${url}/healthz`)).json();
        assertEquals([health.status, health.commit], ["ok", COMMIT]);
        assert(await isHealthy());
        const status = await Deno.readTextFile(`/proc/${pid}/status`);
        assertStringIncludes(status, `\nUid:\t${uid}\t${uid}\t${uid}\t${uid}\n`);
        assertEquals(await call("/execute/python", "6 * 7"), [200, "42"]);
        assertEquals(await call(box, "n = 41"), [200, undefined]);
      });
      assertEquals(await isHealthy(), false);
    });

    await t.step("another container on the volume goes on", async () => {
      await serving(async () => {
        assertEquals(await call(box, "n + 1"), [200, "42"]);
      });
    });
  },
});
