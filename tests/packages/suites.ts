/**
 * The tests that are run: of which package, from where, and with what.
 *
 * @module
 */
import { filePaths, sameFile } from "./wheel_files.ts";
import { type Source, unpacked, type WheelSetName } from "./sources.ts";

/** Tests of a package, as one row of the table. */
export interface Suite {
  readonly name: string;
  /** Packages that it needs, as the files of their wheels begin. */
  readonly needs: readonly string[];
  /** Options of pytest. */
  readonly options: readonly string[];
  /** The wheels that it runs with. @default {"native"} */
  readonly wheels?: WheelSetName;
  readonly tests: {
    readonly source: Source;
    /** The tests are, the same as in the source distribution, at these paths of a wheel. */
    readonly inWheel?: readonly string[];
    /** Folders and files of the source distribution that the workspace has. @default {["tests"]} */
    readonly unpack?: readonly string[];
    /** Folders of the workspace with the tests. @default {["tests"]} */
    readonly in?: readonly string[];
    /** A package that the folder of its name in the workspace adds modules to. */
    readonly extends?: string;
  };
}

const NUMPY: Source = {
  name: "numpy",
  version: "2.4.6",
  sha256: "f3a3570c4a2a16746ac2c31a7c7c7b0c186b95ce902e33db6f28094ed7387dda",
};
const PACKAGES = "/lib/python3.14/site-packages";

function numpySuite(name: string, paths: readonly string[]): Suite {
  return {
    name: `numpy: ${name}`,
    needs: ["numpy"],
    options: ["-m", "not slow"],
    tests: { source: NUMPY, inWheel: paths },
  };
}

/** Warnings are errors, as in the packages' own settings, but for marks of plugins that are not here. */
const STRICT = ["-W", "error", "-W", "ignore::pytest.PytestUnknownMarkWarning"];
const STRINGS = "numpy/_core/tests/test_strings.py";

const PANDAS: Source = {
  name: "pandas",
  version: "3.0.2",
  sha256: "f4753e73e34c8d83221ba58f232433fca2748be8b18dbca02d242ed153945043",
};
/** Folders of pandas' tests that are run: all of them take hours. */
const PANDAS_TESTS = ["strings"];

/** The tests of pandas in one folder. */
function pandasSuite(folder: string): Suite {
  return {
    name: `pandas: ${folder}`,
    needs: ["pandas", "numpy"],
    options: ["-m", "not slow and not network and not db and not single_cpu"],
    wheels: "data",
    tests: {
      source: PANDAS,
      unpack: ["conftest.py", "tests/__init__.py", ...PANDAS_TESTS.map((name) => `tests/${name}`)]
        .map((path) => `pandas/${path}`),
      in: [`pandas/tests/${folder}`],
      extends: "pandas",
    },
  };
}

/** Tests of matplotlib that draw few figures and compare no pictures: those of the source need its own build of FreeType. */
const MATPLOTLIB_TESTS = [
  "afm",
  "api",
  "category",
  "cbook",
  "colors",
  "container",
  "cycles",
  "dates",
  "font_manager",
  "gridspec",
  "mlab",
  "rcparams",
  "style",
  "ticker",
  "transforms",
  "type1font",
  "units",
];

/** Every suite. arro3 publishes no tests. */
export const SUITES: readonly Suite[] = [
  numpySuite("linalg", ["numpy/linalg/tests/"]),
  numpySuite("fft", ["numpy/fft/tests/"]),
  numpySuite("random", ["numpy/random/tests/"]),
  numpySuite("strings", [STRINGS]),
  numpySuite("core", ["numpy/_core/tests/"]),
  {
    name: "pydantic",
    needs: ["pydantic", "pydantic_core"],
    options: [...STRICT, "--ignore=tests/mypy", "--ignore=tests/benchmarks"],
    tests: {
      source: {
        name: "pydantic",
        version: "2.14.3",
        sha256: "1054f237f4d4733e5a30e1e2333bd33a2004ab9ab1510bd053a9a31bb48e232d",
      },
    },
  },
  {
    name: "pydantic-core",
    needs: ["pydantic_core"],
    options: [...STRICT, "-o", "xfail_strict=true", "--ignore=tests/benchmarks"],
    tests: {
      source: {
        name: "pydantic_core",
        version: "2.50.4",
        sha256: "aead3b74b68396bf0feab5d57e050b730ded7df55853c1e048a87e00aaf033c6",
      },
    },
  },
  {
    name: "contourpy",
    needs: ["contourpy", "numpy"],
    // With those of large random grids, Pyodide takes many minutes of processor time.
    options: ["-k", "not random_big"],
    tests: {
      source: {
        name: "contourpy",
        version: "1.4.0",
        sha256: "20156f5a1ac4f8ce02656e39a61e82164a3d359796dc8026f75b062783d500e1",
      },
    },
  },
  {
    name: "uharfbuzz",
    needs: ["uharfbuzz"],
    options: [],
    tests: {
      source: {
        name: "uharfbuzz",
        version: "0.57.0",
        sha256: "55136df18a9dd09fec36d1ceb77965f3108de6d86c338b3825feedb0730d84b7",
      },
    },
  },
  ...PANDAS_TESTS.map(pandasSuite),
  {
    name: "matplotlib",
    needs: ["matplotlib", "numpy", "pillow", "kiwisolver"],
    // A newer pytest than that of the source: its conftest makes each warning an error.
    options: ["-W", "ignore::pytest.PytestRemovedIn10Warning"],
    wheels: "data",
    tests: {
      source: {
        name: "matplotlib",
        version: "3.10.8",
        sha256: "2299372c19d56bcd35cf05a2738308758d32b9eaed2371898d8f5bd33f084aa3",
      },
      // Without `__init__.py`, which wants the pictures.
      unpack: ["conftest", ...MATPLOTLIB_TESTS.map((name) => `test_${name}`)]
        .map((name) => `lib/matplotlib/tests/${name}.py`),
      in: ["lib/matplotlib/tests"],
    },
  },
];

/** Files of tests as a guest has them, and the folder of this machine that is its `/workspace`. */
export interface SuiteFiles {
  readonly files: readonly string[];
  readonly workspace: string | undefined;
}

const TEST_FILE = /(?:^|\/)test_\w+\.py$/;

function* below(folder: string, path: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(`${folder}/${path}`)) {
    if (isDirectory) yield* below(folder, `${path}/${name}`);
    else yield `${path}/${name}`;
  }
}

/**
 * The files of a suite; fetches what is missing. Throws when files of a wheel are not as in the source
 * distribution.
 */
export async function filesOf({ tests, options }: Suite, wheels: string): Promise<SuiteFiles> {
  const { source, inWheel, unpack = ["tests"], in: folders = ["tests"] } = tests;
  if (inWheel !== undefined) {
    const folder = await unpacked(source, [source.name]);
    const files = filePaths(wheels, source.name).filter((path) => TEST_FILE.test(path))
      .filter((path) => inWheel.includes(path) || inWheel.some((each) => isIn(path, each)))
      .filter((path) => inWheel.includes(path) || path !== STRINGS);
    const other = files.find((path) => !sameFile(wheels, source.name, path, folder));
    if (other !== undefined) throw new Error(`${other} is not as in ${source.name}'s source`);
    return { files: files.map((path) => `${PACKAGES}/${path}`).sort(), workspace: undefined };
  }
  const workspace = await unpacked(source, unpack);
  const ignored = options.flatMap((option) => option.split("--ignore=")[1] ?? []);
  const files = folders.flatMap((folder) => [...below(workspace, folder)])
    .filter((path) => TEST_FILE.test(path))
    // An earlier version of a suite may have left other files.
    .filter((path) => unpack.some((part) => path === part || path.startsWith(`${part}/`)))
    .filter((path) => !ignored.some((each) => path.startsWith(`${each}/`)));
  return { files: files.sort(), workspace };
}

function isIn(path: string, folder: string): boolean {
  return folder.endsWith("/") && path.startsWith(folder) &&
    !path.slice(folder.length).includes("/");
}
