/**
 * A new Debian in a folder, made by debootstrap, and programs that see nothing else. Of this machine it
 * has Deno and the certificates. Needs root.
 *
 * @module
 */
import { run } from "../client/deno_command.ts";

const MIRROR = "http://deb.debian.org/debian";
const RELEASE = "bookworm";
const CERTIFICATES = "/etc/ssl/certs/ca-certificates.crt";
const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Enters a root, which nothing can write to if `$2` says so, with a folder of the machine at `$4`. */
const ENTER = `set -e
root="$1" mode="$2" data="$3" place="$4" user="$5"
shift 5
mount --make-rprivate /
mount --bind "$root" "$root"
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
if [ -n "$data" ]; then mkdir -p "$root$place"; mount --bind "$data" "$root$place"; fi
if [ "$mode" = read-only ]; then mount -o remount,bind,ro "$root"; fi
exec chroot --userspec="$user" --groups= "$root" /usr/bin/env -i "$@"`;

/** A program in a root. */
export interface RootProgram {
  /** The folder of the root. */
  readonly root: string;
  /** User and group, as numbers. */
  readonly user: string;
  /** All of its environment, besides `PATH`. */
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  /** Whether nothing but the folder below can be written. */
  readonly readOnly?: boolean;
  /** Whether there is no network but loopback. */
  readonly offline?: boolean;
  /** A folder of the machine, and its place in the root. */
  readonly folder?: { readonly of: string; readonly at: string };
}

/** The programs of a list that are not installed, and `root` for another user than root. */
export function missingPrograms(names: readonly string[]): readonly string[] {
  const folders = (Deno.env.get("PATH") ?? "").split(":");
  const isThere = (name: string) => folders.some((folder) => isFile(`${folder}/${name}`));
  const missing = names.filter((name) => !isThere(name));
  return Deno.uid() === 0 ? missing : ["root", ...missing];
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false; // a folder of PATH may be missing, or closed
  }
}

/** Makes the root in a folder that does not exist. Takes a minute or two, and needs a network. */
export async function makeRoot(root: string, packages: readonly string[]): Promise<void> {
  const include = `--include=${["ca-certificates", ...packages].join(",")}`;
  await succeed("debootstrap", "--variant=minbase", include, RELEASE, root, MIRROR);
  await Deno.copyFile(CERTIFICATES, `${root}${CERTIFICATES}`);
  await Deno.copyFile("/etc/resolv.conf", `${root}/etc/resolv.conf`);
  await Deno.copyFile(Deno.execPath(), `${root}/usr/bin/deno`);
}

/** Runs a program of this machine; rejects with its output when it fails. */
export async function succeed(program: string, ...args: readonly string[]): Promise<string> {
  const { code, output } = await run(program, ...args);
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${output}`);
  return output;
}

/** The command of this machine that runs a program in a root. It becomes the program. */
export function commandIn(program: RootProgram, options: Deno.CommandOptions): Deno.Command {
  const { root, user, env, command, readOnly, offline, folder } = program;
  const variables = Object.entries({ PATH, ...env }).map(([name, value]) => `${name}=${value}`);
  const network = offline === true ? ["--net"] : [];
  const enter = offline === true ? `ip link set lo up\n${ENTER}` : ENTER;
  return new Deno.Command("unshare", {
    args: [
      ...["--mount", ...network, "sh", "-c", enter, "sh"],
      ...[root, readOnly === true ? "read-only" : "writable", folder?.of ?? "", folder?.at ?? ""],
      ...[user, ...variables, ...command],
    ],
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? PATH },
    stdin: "null",
    ...options,
  });
}
