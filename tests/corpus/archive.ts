/**
 * Archives of text files: each file begins with a line `-- name --` and ends with a line feed. The
 * programs of a language and their recordings are one archive.
 *
 * @module
 */

const HEAD = /^-- (\S+) --$/;

/** The files of an archive, in its order. Throws for a text that is none. */
export function parseArchive(text: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  let name: string | undefined;
  let lines: string[] = [];
  const end = () => {
    if (name !== undefined) files.set(name, lines.map((line) => `${line}\n`).join(""));
  };
  for (const line of text.split("\n").slice(0, -1)) {
    const head = HEAD.exec(line)?.[1];
    if (head !== undefined) {
      end();
      [name, lines] = [head, []];
    } else if (name === undefined) throw new Error("the archive begins without a name");
    else lines.push(line);
  }
  end();
  return files;
}

/** Writes files as an archive, sorted by name. Throws for a file that cannot be in one. */
export function formatArchive(files: ReadonlyMap<string, string>): string {
  return [...files].sort(([a], [b]) => a < b ? -1 : 1).map(([name, text]) => {
    const head = `-- ${name} --`;
    if (!HEAD.test(head) || (text !== "" && !text.endsWith("\n"))) {
      throw new Error(`${name} cannot be in an archive`);
    }
    if (text.split("\n").some((line) => HEAD.test(line))) {
      throw new Error(`${name} has a line that begins a file`);
    }
    return `${head}\n${text}`;
  }).join("");
}

/** The archive of a language. */
export function archiveUrl(language: string): URL {
  return new URL(`./${language}.txtar`, import.meta.url);
}

/** The files of the archive of a language. */
export function readArchive(language: string): ReadonlyMap<string, string> {
  return parseArchive(Deno.readTextFileSync(archiveUrl(language)));
}

/** Replaces the archive of a language. */
export function writeArchive(language: string, files: ReadonlyMap<string, string>): void {
  Deno.writeTextFileSync(archiveUrl(language), formatArchive(files));
}
