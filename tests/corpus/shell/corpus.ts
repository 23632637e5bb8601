/**
 * Commands as agents send them, on a small tree of files, and what GNU's programs answer.
 *
 * @module
 */

/** A command with its native output. */
export interface CorpusCase {
  readonly kind: string;
  readonly command: string;
  readonly stdout: string;
  readonly exitCode: number;
}

/** The files below `/workspace` before each command, and the commands. */
export interface ShellCorpus {
  readonly files: Readonly<Record<string, string>>;
  readonly cases: readonly CorpusCase[];
}

const FILE = new URL("corpus.json", import.meta.url);

/** Reads the corpus. */
export async function readCorpus(): Promise<ShellCorpus> {
  return JSON.parse(await Deno.readTextFile(FILE));
}

/** Writes the corpus, with a line for each command. */
export async function writeCorpus({ files, cases }: ShellCorpus): Promise<void> {
  const lines = cases.map((item) => JSON.stringify(item)).join(",\n");
  const text = `{\n"files": ${JSON.stringify(files, undefined, 0)},\n"cases": [\n${lines}\n]\n}\n`;
  await Deno.writeTextFile(FILE, text);
}
