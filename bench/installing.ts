/**
 * The time of each way of installing, in a new Debian, by a user with an empty home: from the first
 * command of the docs to the first right answer. The commands are those of the pages.
 *
 * `deno run --allow-all bench/installing.ts [RELEASE] [WAY...]` as root, with debootstrap, git, node,
 * npm, and buildah for the image. RELEASE is the folder of `deno task release`; without it, or with
 * `-`, one is made first. WAY is a part of a way's name; without it, all are measured. Takes some
 * minutes, and needs a network.
 *
 * @module
 */
import { temporaryFolder } from "../tests/client/deno_command.ts";
import { commandIn, makeRoot, missingPrograms, succeed } from "../tests/support/debian_root.ts";
import { buildImage, IMAGE_PROGRAMS } from "../tests/support/image.ts";
import { freePort } from "../tests/support/program.ts";
import { startService } from "../tests/support/service.ts";
import { table } from "./stats.ts";

const ROOT = new URL("../", import.meta.url);
const USER = "1000:1000";
const HOME = "/home/new";
const PROGRAMS = ["curl", "git", "python3-venv"];
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
/** Where the docs' service listens. */
const URL_OF_DOCS = "http://127.0.0.1:8000";
const ANSWER = /(?:^|")42(?:"|\n)/m;

const IMAGE = "the image, built of a checkout";

/** A way of installing. */
interface Way {
  readonly name: string;
  /** Programs that it needs, besides those of a bare Debian. */
  readonly needs: string;
  readonly script: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly offline?: boolean;
}

/** The block of a page that has a text. Tests of the docs keep the pages right. */
function blockOf(page: string, text: string): string {
  const blocks = Deno.readTextFileSync(new URL(page, ROOT)).matchAll(/^```sh\n([\s\S]*?)^```$/gm);
  for (const [, block = ""] of blocks) if (block.includes(text)) return block;
  throw new Error(`${page} has no block with ${text}`);
}

/** A script that starts a service by a block, and prints its first answer. */
function serving(block: string, url: string): string {
  return `{ ${block} } >&2 &
until curl -sf ${url}/readyz >/dev/null; do kill -0 $!; sleep 0.1; done
curl -sf ${url}/execute/python --json '{"code": "6 * 7"}'
wait`;
}

/** A script that runs a program with an installed client. */
function calling(block: string, url: string, run: string, program: string): string {
  const text = (part: string) => part.replaceAll(URL_OF_DOCS, url);
  return `${text(block)}\ncat > program <<'END'\n${text(program)}\nEND\n${run}`;
}

function waysOf(client: string): readonly Way[] {
  const clone = blockOf("README.md", "git clone");
  const port = String(freePort());
  const cloned = { env: { URL: "file:///source", PORT: port } };
  const url = `http://127.0.0.1:${port}`;
  return [
    {
      name: "archive of a release, without a network",
      needs: "Deno",
      script: serving(`cd /release\n${blockOf("docs/operating.md", "sha256sum")}`, URL_OF_DOCS),
      offline: true,
    },
    { name: "clone", needs: "git, Deno", script: serving(clone, url), ...cloned },
    {
      name: "clone, by `npx -y deno`",
      needs: "git, Node",
      script: serving(clone.replace("deno task", "npx -y deno task"), url),
      env: { ...cloned.env, PATH: "/opt/node/bin:/usr/bin:/bin" },
    },
    {
      name: "`client.tgz` by npm, from a service",
      needs: "Node",
      env: { PATH: "/opt/node/bin:/usr/bin:/bin" },
      script: calling(
        blockOf("client/README.md", "/client.tgz"),
        client,
        "mv program program.mjs && node program.mjs",
        `import { connect, runCode } from "@belljar/client";
const { results } = await runCode(connect("${URL_OF_DOCS}").PYTHON, "6 * 7");
console.log(results[0].text);`,
      ),
    },
    {
      name: "`client.whl` by pip, from a service",
      needs: "Python, curl",
      script: calling(
        `python3 -m venv env && . env/bin/activate\n${blockOf("clients/python/README.md", "whl")}`,
        client,
        "python program",
        `from belljar import connect
print(connect("${URL_OF_DOCS}").run_code("python", "6 * 7").value)`,
      ),
    },
    {
      name: "the client on JSR: a dry run of publishing",
      needs: "git, Deno",
      script: `git clone -q file:///source belljar && cd belljar/client
deno publish --dry-run >&2 && echo 42`,
    },
  ];
}

/** Runs a way in an empty home; gives its seconds. */
async function measure(root: string, { name, script, env, offline }: Way): Promise<number> {
  await Deno.remove(root + HOME, { recursive: true }).catch(() => undefined);
  await Deno.mkdir(root + HOME, { recursive: true });
  await succeed("chown", "-R", USER, root + HOME, `${root}/var/lib/belljar`);
  const command = commandIn({
    root,
    user: USER,
    env: {
      ...{ HOME, NO_COLOR: "1", DENO_TLS_CA_STORE: "system", NODE_EXTRA_CA_CERTS: CERTIFICATES },
      ...{ PIP_CERT: CERTIFICATES, PATH: "/opt/deno/bin:/usr/bin:/bin", ...env },
    },
    offline: offline ?? false,
    command: ["bash", "-euo", "pipefail", "-c", `cd ${HOME}\n${script}`],
  }, { stdout: "piped", stderr: "piped", detached: true });
  const began = performance.now();
  const child = command.spawn();
  const told = new Response(child.stderr).text();
  const text = new TextDecoder();
  let answer = "";
  let seconds: number | undefined;
  for await (const part of child.stdout) {
    answer += text.decode(part, { stream: true });
    if (!ANSWER.test(answer)) continue;
    seconds = (performance.now() - began) / 1_000;
    break;
  }
  endGroup(child.pid);
  await child.status;
  const errors = await told;
  if (seconds === undefined) throw new Error(`${name}: ${answer}\n${errors}`);
  return seconds;
}

/** Ends all processes of a group. */
function endGroup(pid: number): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch (thrown) {
    if (!(thrown instanceof Deno.errors.NotFound)) throw thrown; // it has ended
  }
}

/** Makes the root: Debian, Deno and Node in folders of their own, the sources and the release. */
async function prepare(root: string, release: string): Promise<void> {
  await makeRoot(root, PROGRAMS);
  await succeed("mkdir", "-p", `${root}/opt/deno/bin`, `${root}/opt/node/bin`);
  await succeed("mkdir", "-p", `${root}/var/lib/belljar`, `${root}/opt/node/lib`);
  await succeed("mv", `${root}/usr/bin/deno`, `${root}/opt/deno/bin/deno`);
  const [node = "", npm = ""] = (await succeed("sh", "-c", "command -v node; command -v npm"))
    .trim().split("\n");
  await succeed("cp", await Deno.realPath(node), `${root}/opt/node/bin/node`);
  const folder = new URL("../", `file://${await Deno.realPath(npm)}`).pathname;
  await succeed("cp", "-R", folder, `${root}/opt/node/lib/npm`);
  for (const name of ["npm", "npx"]) {
    await Deno.symlink(`../lib/npm/bin/${name}-cli.js`, `${root}/opt/node/bin/${name}`);
  }
  await succeed("git", "clone", "--quiet", "--bare", ROOT.pathname, `${root}/source`);
  await succeed("cp", "-R", release, `${root}/release`);
  await succeed("chown", "-R", USER, `${root}/source`, `${root}/release`);
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}

async function main(): Promise<void> {
  const missing = missingPrograms(["debootstrap", "git", "node", "npm", "unshare", "ip"]);
  if (missing.length > 0) {
    print(`Nothing is measured: it needs ${missing.join(", ")}`);
    Deno.exit(1);
  }
  await using folder = await temporaryFolder();
  const [given = "-", ...chosen] = Deno.args;
  const release = given === "-" ? `${folder.path}/release` : given;
  const isChosen = (name: string) =>
    chosen.length === 0 || chosen.some((part) => name.includes(part));
  if (given === "-") {
    await succeed(Deno.execPath(), "task", "--cwd", ROOT.pathname, "release", release);
  }
  const root = `${folder.path}/debian`;
  await prepare(root, release);
  await using service = await startService({ KV_PATH: ":memory:", LANGUAGES: "python" });
  const rows: (string | number)[][] = [];
  for (const way of waysOf(service.url).filter(({ name }) => isChosen(name))) {
    rows.push([way.name, way.needs, (await measure(root, way)).toFixed(1)]);
    print(`${way.name}: ${rows.at(-1)?.[2]} s`);
  }
  if (isChosen(IMAGE) && missingPrograms(IMAGE_PROGRAMS).length === 0) {
    await Deno.mkdir(`${folder.path}/image`);
    const { seconds } = await buildImage(`${folder.path}/image`, "");
    rows.push([IMAGE, "buildah", seconds.toFixed(1)]);
  }
  const [busy = NaN] = Deno.loadavg();
  print(`\nLoad ${busy.toFixed(1)}\n\n${table(["way", "needs", "seconds"], rows)}`);
}

await main();
