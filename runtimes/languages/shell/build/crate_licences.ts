/**
 * The licence texts of the crates in the shell's module. A file of the repository holds them, so
 * that they go wherever the module goes.
 *
 * @module
 */
/** Names of files that hold the terms of a crate. */
const TERMS = /^(?:licen[cs]es?|copying|copyright|unlicen[cs]e|notice)\b/i;
const LINE = "-".repeat(80);
const HEAD = `# Licence texts of the shell's crates

\`deno task shell pin\` takes them from the packages of the crates (CRATES.md).
`;

/** The texts of all crates in a folder that `cargo vendor` filled. A text of several is there once. */
export async function licenceTexts(vendor: string): Promise<string> {
  const crates = new Map<string, Set<string>>();
  for (const folder of namesIn(vendor)) {
    const manifest = await Deno.readTextFile(`${vendor}/${folder}/Cargo.toml`);
    for (const text of await termsIn(`${vendor}/${folder}`, manifest)) {
      const names = crates.get(text) ?? new Set();
      crates.set(text, names.add(`${field(manifest, "name")} ${field(manifest, "version")}`));
    }
  }
  const parts = [...crates].map(([text, names]) =>
    `${LINE}\n${[...names].join("\n")}\n\n${text}\n`
  );
  return [HEAD, ...parts].join("\n");
}

/** The terms of one crate. A package without a text has those that its manifest names. */
async function termsIn(folder: string, manifest: string): Promise<readonly string[]> {
  const files = [...Deno.readDirSync(folder)].filter(({ name, isFile }) =>
    isFile && TERMS.test(name)
  );
  const names = files.map(({ name }) => name).sort();
  const texts = await Promise.all(names.map((name) => Deno.readTextFile(`${folder}/${name}`)));
  if (texts.length > 0) return texts.map(trimmed);
  const authors = /^authors = \[([^\]]*)\]/m.exec(manifest)?.[1]?.match(/(?<=")[^"\n]+(?=")/g) ??
    [];
  const by = authors.filter((author) => author.trim() !== ",");
  return [
    `The package has no such text. Its manifest names the licence ${field(manifest, "license")}` +
    (by.length > 0 ? `, by ${by.join(", ")}` : ""),
  ];
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** A text of the first table of a manifest. */
function field(manifest: string, key: string): string {
  return new RegExp(`^${key} = "([^"]+)"`, "m").exec(manifest)?.[1] ?? "";
}

/** Without differences that are no part of the terms: ends of lines, spaces before them. */
function trimmed(text: string): string {
  const lines = text.replaceAll("\r\n", "\n").split("\n").map((line) => line.trimEnd());
  return lines.join("\n").replaceAll(/^\n+|\n+$/g, "");
}
