/**
 * The documents of the repository: every link leads somewhere, in Markdown and in the comments of
 * the code, and every file that a page names exists.
 */
import { assert, assertEquals } from "@std/assert";

const ROOT = new URL("../", import.meta.url);
const SOURCE = /\.(?:tsx?|mjs|py|rb|pl|pm)$/;
/** Data, dependencies, and what is built. */
const SKIPPED = ["node_modules", "programs"];
/** Texts of others. */
const FOREIGN = /\/CRATE_LICENCES\.md$/;

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(new URL(folder, ROOT))].flatMap(({ name, isDirectory }) => {
    const path = `${folder}${name}`;
    if (name.startsWith(".") || SKIPPED.includes(name)) return [];
    return isDirectory ? filesBelow(`${path}/`) : [path];
  });
}

function read(path: string): string {
  return Deno.readTextFileSync(new URL(path, ROOT));
}

/** The anchor that GitHub gives to a heading. */
function anchorOf(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").trim().toLowerCase();
  return text.replace(/[^\p{Letter}\p{Number} _-]/gu, "").replaceAll(" ", "-");
}

function withoutBlocks(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, "");
}

function anchorsOf(markdown: string): ReadonlySet<string> {
  const headings = withoutBlocks(markdown).matchAll(/^#{1,6} (.+)$/gm);
  return new Set([...headings].map(([, heading = ""]) => anchorOf(heading)));
}

const FILES = filesBelow("");
const PAGES = FILES.filter((path) => path.endsWith(".md") && !FOREIGN.test(path));
const DOCUMENTS = new Map(PAGES.map((path) => [path, read(path)]));
const ANCHORS = new Map([...DOCUMENTS].map(([path, text]) => [path, anchorsOf(text)]));

/** The fault of a link; undefined when it leads somewhere. */
function faultOf(from: string, target: string): string | undefined {
  if (/^[a-z]+:/.test(target)) return undefined;
  const { pathname, hash } = new URL(target, new URL(from, ROOT));
  const path = decodeURIComponent(pathname.slice(ROOT.pathname.length));
  const anchors = ANCHORS.get(path);
  if (hash === "" || anchors === undefined) {
    const known = FILES.includes(path) || FILES.some((file) => file.startsWith(path));
    return known && hash === "" ? undefined : `${from}: ${target}`;
  }
  return anchors.has(hash.slice(1)) ? undefined : `${from}: ${target}`;
}

Deno.test("docs: every link of a Markdown page leads to a file and a heading that exist", () => {
  const links = [...DOCUMENTS].flatMap(([path, text]) =>
    [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => [path, target])
  );
  assert(links.length > 20, `${links.length} links`);
  assertEquals(links.flatMap(([path = "", target = ""]) => faultOf(path, target) ?? []), []);
});

Deno.test("docs: every page that the code names exists, with its heading", () => {
  const named = FILES.filter((path) => SOURCE.test(path)).flatMap((path) =>
    [...read(path).matchAll(/\bdocs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([target]) => [path, target])
  );
  const wrong = named.flatMap(([path, target = ""]) => {
    const fault = faultOf("README.md", target);
    return fault === undefined ? [] : [`${path}: ${target}`];
  });
  assertEquals(wrong, []);
});

Deno.test("docs: every {@link} in a comment names a file, or something that its own file names", () => {
  const links = FILES.filter((path) => path.endsWith(".ts")).flatMap((path) => {
    const text = read(path);
    const code = text.replace(/\/\*\*[\s\S]*?\*\//g, "");
    return [...text.matchAll(/\{@link[\s*]+([\w$#./]+)[^}]*\}/g)].flatMap(([, target = ""]) => {
      const isThere = target.startsWith(".")
        ? faultOf(path, target) === undefined
        : target.split(".").every((name) => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(code));
      return [{ link: `${path}: ${target}`, isThere }];
    });
  });
  assert(links.length > 50, `${links.length} links`);
  assertEquals(links.filter(({ isThere }) => !isThere).map(({ link }) => link), []);
});

Deno.test("docs: every file of the code that a page names exists, by its path or the end of it", () => {
  const named = [...DOCUMENTS].flatMap(([path, text]) =>
    [...withoutBlocks(text).matchAll(/`([\w./-]+\.ts)`/g)]
      .map(([, file = ""]) => [path, file])
  );
  assert(named.length > 100, `${named.length} names`);
  const wrong = named.filter(([, file = ""]) =>
    !FILES.some((path) => `/${path}`.endsWith(`/${file}`))
  );
  assertEquals(wrong, []);
});

Deno.test("docs: every program that a page names exists, below the page or the root", () => {
  const program = /\b((?:bench|tests|examples)\/[\w/-]+\.(?:ts|py|html))\b/g;
  const named = [...DOCUMENTS].filter(([path]) => path !== "CHANGELOG.md").flatMap(([path, text]) =>
    [...text.matchAll(program)].map(([, file = ""]) => ({ path, file }))
  );
  assert(named.length > 50, `${named.length} names`);
  const wrong = named.filter(({ path, file }) =>
    !FILES.includes(file) && !FILES.includes(path.replace(/[^/]*$/, file))
  );
  assertEquals(wrong, []);
});

Deno.test("docs: no title is a relative clause", () => {
  const title = /^(?:#{1,6} |\| *)(?:what|how|who|where)\b[^|\n]*/gim;
  const found = [...DOCUMENTS].flatMap(([path, text]) =>
    (withoutBlocks(text).match(title) ?? []).map((line) => `${path}: ${line}`)
  );
  assertEquals(found, []);
});

Deno.test("docs: the code cites nothing that is not in the repository", () => {
  const cited = FILES.filter((path) => SOURCE.test(path) && !path.endsWith("docs_test.ts"))
    .filter((path) =>
      /\((?:contract|decisions|extensions)[,:)\s]|\b[Dd]ecisions:/.test(read(path))
    );
  assertEquals(cited, []);
});
