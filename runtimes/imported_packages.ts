/**
 * The choice of the baseline on which a program in Python begins: the second one, if its text shows an
 * import of a package that is imported there already. A statement in a string counts, and an import by
 * a computed name does not.
 *
 * @module
 */

/** The inputs of the choice. */
export interface StartingProgram {
  readonly code: string;
  /** Names of the variables of its environment. */
  readonly variables: Iterable<string>;
  /** Paths of the files of its workspace. @default {none} */
  readonly files?: Iterable<string>;
}

/** Whether a program begins on the second baseline; undefined where there is only one. */
export type BaselineChoice = (program: StartingProgram) => boolean | undefined;

/** An import statement at the beginning of a line or behind `;` or `:`, in time linear in the text. */
const STATEMENT = /(?:^|[;:])[ \t\f]*(import|from)[ \t\f]+([\w.][\w., \t\f]*)/gm;
/** Variables that the packages read when they are imported. */
const READ_AT_IMPORT = /^(?:MPL|MATPLOTLIB|NPY|NUMPY|PANDAS)/;
/** A file that matplotlib reads when it is imported. */
const SETTINGS = "matplotlibrc";

/** The top-level names of the packages in an import statement. */
function namesIn(keyword: string, modules: string): readonly string[] {
  const listed = keyword === "from" ? [modules] : modules.split(",");
  return listed.map((module) => /^\s*(\w*)/.exec(module)?.[1] ?? "");
}

/** Whether a program imports one of the packages, which are given by their top-level names. */
function importsOne(code: string, packages: ReadonlySet<string>): boolean {
  for (const [, keyword = "", modules = ""] of code.matchAll(STATEMENT)) {
    if (namesIn(keyword, modules).some((name) => packages.has(name))) return true;
  }
  return false;
}

/** Whether a file would be imported or read in place of what is imported already. */
function isInPlace(path: string, packages: ReadonlySet<string>): boolean {
  return path.split("/").some((name) => {
    const [module = ""] = name.split(".", 1);
    return name === SETTINGS || packages.has(module);
  });
}

/** The choice for an engine; `preloads` are the top-level names of the packages. */
export function baselineChoice(preloads: readonly string[] = []): BaselineChoice {
  const packages = new Set(preloads);
  return ({ code, variables, files = [] }) => {
    if (packages.size === 0) return undefined;
    if (!importsOne(code, packages)) return false;
    for (const name of variables) if (READ_AT_IMPORT.test(name)) return false;
    for (const path of files) if (isInPlace(path, packages)) return false;
    return true;
  };
}
