/**
 * The native stack of a sealed process. V8 does not ask the system how large the stack is that it
 * runs on, so its own bound must lie well below the system's.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";

/**
 * Requirements of the guests of a process. Python's recursion through C takes up to two bytes of
 * native stack for each byte of the linear stack, which Python bounds.
 */
export type StackNeed = "usual" | "deep";

/** Requirements of a language's guests. */
export function stackNeed(language: Language): StackNeed {
  return language === "python" ? "deep" : "usual";
}

/** V8's bound in KiB within the stack that systems give a process, which is 8 MiB. */
const USUAL_KIB = 4000;
/** V8's bound in KiB within the raised stack. */
const DEEP_KIB = 12_500;
/** The raised stack in KiB: what V8 may use, and room for the host's own frames. */
const RAISED_KIB = 16_384;

/**
 * Raises the stack and runs the program in the same process. Where the system refuses, the program
 * gets the usual bound: deep recursion then ends by V8's bound instead of Python's. All processes
 * of a service inherit the same limits, so they all get the same answer. Arguments: the two flags,
 * then those of the program. Of the shell's own variables some shells pass on SHLVL, but none the
 * service's folder.
 */
const RAISE = `if ulimit -S -s ${RAISED_KIB} 2>/dev/null; then flag="$1"; else flag="$2"; fi
shift 2
unset PWD OLDPWD
exec "$0" run "$flag" "$@"`;
const SHELL = "/bin/sh";

/** A program with its arguments. */
export interface ProgramStart {
  readonly program: string;
  readonly args: readonly string[];
}

/** How Deno is started with flags for V8 and a stack; `args` are what follows `deno run`. */
export function withStack(
  need: StackNeed,
  v8Flags: readonly string[],
  args: readonly string[],
): ProgramStart {
  const deno = Deno.execPath();
  const flagOf = (kib: number) => `--v8-flags=${[...v8Flags, `--stack-size=${kib}`].join()}`;
  if (need === "usual" || !hasShell()) {
    return { program: deno, args: ["run", flagOf(USUAL_KIB), ...args] };
  }
  return {
    program: SHELL,
    args: ["-c", RAISE, deno, flagOf(DEEP_KIB), flagOf(USUAL_KIB), ...args],
  };
}

let shell: boolean | undefined;

function hasShell(): boolean {
  if (shell === undefined) {
    try {
      shell = Deno.statSync(SHELL).isFile;
    } catch {
      shell = false;
    }
  }
  return shell;
}
