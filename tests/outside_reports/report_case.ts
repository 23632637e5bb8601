/**
 * Programs of public reports and their expected outcomes, from `cases/`.
 *
 * A program is a file named after its language; `.stdin` beside it is its input, `.expected` its
 * standard output. Other cases are JSON: an interface of the service and steps, `.expected` beside them
 * lists the outcome of each step.
 *
 * @module
 */
const CASES = new URL("cases/", import.meta.url);
const LANGUAGES: Readonly<Record<string, string>> = {
  js: "javascript",
  ts: "javascript",
  py: "python",
  rb: "ruby",
  pl: "perl",
};

/** One request of a case. */
export type Step = Readonly<Record<string, string>>;

/** Steps at an interface of the service. */
export interface ReportCase {
  readonly name: string;
  readonly interface: "stateless" | "context" | "e2b";
  readonly language: string;
  readonly steps: readonly Step[];
  /** The expected values of each step, by the paths of fields. */
  readonly expected: readonly Readonly<Record<string, unknown>>[];
}

/** All cases, by name. */
export function reportCases(): readonly ReportCase[] {
  const files = [...Deno.readDirSync(CASES)].map(({ name }) => name).sort();
  return files.filter((file) => !/\.(?:expected|stdin)$/.test(file)).flatMap((file) => {
    const [name = "", extension = ""] = file.split(".");
    const expected = read(`${name}.expected`);
    if (extension === "json") {
      return byLanguage({ name, ...JSON.parse(read(file)), expected: JSON.parse(expected) });
    }
    const language = LANGUAGES[extension];
    if (language === undefined) throw new Error(`${file} has no language`);
    const input = `${name}.stdin`;
    const step: Step = {
      code: read(file),
      ...(files.includes(input) ? { stdin: read(input) } : {}),
      ...(extension === "ts" ? { language: "typescript" } : {}),
    };
    return [{
      name,
      interface: "stateless",
      language,
      steps: [step],
      expected: [{ stdout: expected.split("\n").slice(0, -1), error: undefined }],
    }];
  });
}

/** A case of several languages as one case for each. */
function byLanguage(report: ReportCase): readonly ReportCase[] {
  if (report.language !== "*") return [report];
  return report.steps.map(({ language = "", ...step }, index) => ({
    ...report,
    name: `${report.name} ${language}`,
    language,
    steps: [step],
    expected: report.expected.slice(index, index + 1),
  }));
}

function read(file: string): string {
  return Deno.readTextFileSync(new URL(file, CASES));
}

/**
 * The differences between an outcome and its expectation, in words. An expected text may hold `*`
 * for any text, and begin with `!` if the outcome must not be like the rest. A list of such texts
 * holds if all of them do.
 */
export function differences(
  outcome: unknown,
  expected: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.entries(expected).flatMap(([path, wanted]) => {
    const value = path.split(".").reduce(fieldOf, outcome);
    return holds(value, wanted)
      ? []
      : [`${path} is ${JSON.stringify(value)} instead of ${JSON.stringify(wanted)}`];
  });
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function holds(value: unknown, wanted: unknown): boolean {
  if (wanted === null || wanted === undefined) return value === undefined || value === null;
  if (typeof value !== "string") {
    if (!Array.isArray(wanted) || !Array.isArray(value)) return covers(value, wanted);
    return value.length === wanted.length && covers(value, wanted);
  }
  return [wanted].flat().every((text) => {
    const isExcluded = String(text).startsWith("!");
    const parts = String(text).slice(isExcluded ? 1 : 0).split("*").map(RegExp.escape);
    return new RegExp(`^${parts.join("[^]*")}$`).test(value) !== isExcluded;
  });
}

/** Whether a value holds all that is wanted, and in lists nothing else. */
function covers(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== "object" || wanted === null) return value === wanted;
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(wanted) && Array.isArray(value) && wanted.length !== value.length) return false;
  return Object.entries(wanted).every(([name, part]) => covers(fieldOf(value, name), part));
}
