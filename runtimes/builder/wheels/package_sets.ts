/**
 * Sets of Python packages that `deno task wheels add --set NAME` adds at once.
 *
 * @module
 */

/** Packages of a set, by their normalised names. */
export interface PackageSet {
  readonly packages: readonly string[];
  /** Packages that are added only if the engine's distribution has them. */
  readonly builtPackages: readonly string[];
}

/** The sets by name. */
export const PACKAGE_SETS: ReadonlyMap<string, PackageSet> = new Map([
  ["data", {
    packages: [
      ...["numpy", "pandas", "matplotlib", "seaborn", "pillow", "networkx", "sympy"],
      ...[
        "openpyxl",
        "xlsxwriter",
        "lxml",
        "beautifulsoup4",
        "tabulate",
        "jinja2",
        "pyyaml",
        "regex",
      ],
    ],
    builtPackages: ["scipy", "scikit-learn", "statsmodels", "duckdb", "pyarrow"],
  }],
]);
