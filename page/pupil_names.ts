/**
 * Names of the sandboxes of a class.
 *
 * @module
 */
import { plain } from "./format.ts";

/** The most pupils of one class. */
const MAX_PUPILS = 100;
const MAX_NAME = 63;
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.]([A-Za-z0-9_.-]*[A-Za-z0-9_.])?$/;

/** The prefix of the names of the sandboxes of a class. */
export function classPrefix(sandbox: string): string {
  return `${sandbox}.`;
}

/** The sandboxes of pupils, by a list of names: one in a line, or a number of them. Throws Error. */
export function pupilSandboxes(sandbox: string, list: string): readonly string[] {
  const lines = list.split(/[\n,;]/).map((line) => line.trim()).filter((line) => line !== "");
  const [count] = lines;
  const pupils = lines.length === 1 && /^\d{1,3}$/.test(count ?? "")
    ? Array.from({ length: Number(count) }, (_, n) => String(n + 1).padStart(2, "0"))
    : lines.map(nameOf);
  if (pupils.length === 0) throw new Error("Write the names of the pupils, or how many there are.");
  if (pupils.length > MAX_PUPILS) throw new Error(`A class has at most ${MAX_PUPILS} pupils.`);
  const names = pupils.map((pupil) => classPrefix(sandbox) + pupil);
  for (const [at, name] of names.entries()) {
    const line = plain(lines[at] ?? name);
    if (name.length > MAX_NAME) throw new Error(`“${line}” is too long for the name of a sandbox.`);
    if (pupils[at] === "" || !NAME.test(name)) throw new Error(`“${line}” has no letter or digit.`);
    if (names.indexOf(name) !== at) throw new Error(`“${line}” is there twice.`);
  }
  return names;
}

/** A person's name in the characters of a sandbox's: `Zoë Miller` is `Zoe-Miller`. */
function nameOf(line: string): string {
  return line.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").replace(/[^A-Za-z0-9_.]+/g, "-")
    .replace(/^-|-$/g, "");
}
