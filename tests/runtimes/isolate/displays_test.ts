/** The handling of lines that a run writes to `/dev/display`. */
import { assertEquals } from "@std/assert";
import { DISPLAYS } from "../../../runtimes/files/devices.ts";
import { limitOutput } from "../../../runtimes/isolate/output.ts";
import { DISPLAY_CONTAINERS, MAX_DISPLAYS, SHARED_LIMITS } from "../../../shared/limits.ts";

const SHOWN = '{"data":{"a/b":1}}';
/** A display of so many keys, arrays and objects; five of them are those around the others. */
const containing = (count: number) => `{"data":{"a/b":[${"[],".repeat(count - 5)}1]}}`;
const MOST_CONTAINERS = containing(DISPLAY_CONTAINERS);
const MORE_CONTAINERS = containing(DISPLAY_CONTAINERS + 1);
/** Long integers, decimals and strings do not count. */
const VALUES = `{"data":{"a/b":[${'12345678901234567,0.5,"[{:",'.repeat(30_000)}1]}}`;

/** The displays of these writes, and how a run that succeeded ends. */
function show(
  writes: readonly string[],
  { displayBytes } = SHARED_LIMITS,
): readonly [displays: string[], ending: string] {
  const displays: string[] = [];
  const output = limitOutput(
    { outputBytes: 1, outputLines: 1, displayBytes },
    (_stream, bytes) => void displays.push(new TextDecoder().decode(bytes)),
  );
  for (const text of writes) output.sink(DISPLAYS, new TextEncoder().encode(text));
  const { ending } = output.outcome({
    ending: { kind: "none" },
    fuelConsumed: 0,
    memoryBytes: 0,
    durationMs: 0,
    intact: true,
  });
  return [displays, ending.kind === "limit" ? `${ending.kind} ${ending.limit}` : ending.kind];
}

Deno.test("display device: lines are joined from writes, however they are cut", () => {
  const text = `${SHOWN}\n\n${SHOWN}\n`;
  for (let size = 1; size <= text.length; size++) {
    const writes = Array.from(
      { length: Math.ceil(text.length / size) },
      (_, index) => text.slice(index * size, (index + 1) * size),
    );
    assertEquals(show(writes), [[SHOWN, SHOWN], "none"]);
  }
});

Deno.test("display device: an invalid entry is dropped, and so is a line without a newline", () => {
  for (const line of ["x", "{}", '{"data":{}}', '{"data":{"a":1}}', "\xff", "[".repeat(1_000)]) {
    assertEquals(show([`${line}\n`, `${SHOWN}\n`, SHOWN]), [[SHOWN], "none"]);
  }
});

Deno.test("display device: every exceeded limit is reported", () => {
  for (const whole of [MOST_CONTAINERS, VALUES]) {
    assertEquals(show([`${whole}\n`]), [[whole], "none"]);
  }
  const half = containing(DISPLAY_CONTAINERS / 2);
  const halves = [half, half, SHOWN].map((line) => `${line}\n`);
  assertEquals(show(halves), [[half, half], "limit display"]);
  for (
    const line of [
      MORE_CONTAINERS,
      ",".repeat(SHARED_LIMITS.displayBytes / 2 + 1),
      `{"data":{"a/b":"${"x".repeat(SHARED_LIMITS.displayBytes)}"}}`,
      "x".repeat(SHARED_LIMITS.displayBytes + 1),
    ]
  ) {
    assertEquals(show([`${SHOWN}\n`, `${line}\n`, `${SHOWN}\n`]), [[SHOWN], "limit display"]);
  }
  assertEquals(show(["x".repeat(SHARED_LIMITS.displayBytes + 1)]).at(1), "limit display");
  const dropped = "x".repeat(SHARED_LIMITS.displayBytes / 2);
  assertEquals(show([`${dropped}\n`, `${dropped}\n`, `${SHOWN}\n`]), [[SHOWN], "none"]);
  assertEquals(show([`${dropped}\n`, `${dropped}\n`, "x\n", `${SHOWN}\n`]), [[], "limit display"]);
  const configured = { ...SHARED_LIMITS, displayBytes: 2 * SHOWN.length };
  assertEquals(show([`${SHOWN}\n${SHOWN}\n`], configured), [[SHOWN, SHOWN], "none"]);
  assertEquals(show([`${SHOWN}\n${SHOWN} \n`], configured), [[SHOWN], "limit display"]);
  const many = Array<string>(MAX_DISPLAYS).fill(SHOWN);
  assertEquals(show(many.map((line) => `${line}\n`)), [many, "none"]);
  assertEquals(show([...many, "x"].map((line) => `${line}\n`)), [many, "none"]);
  assertEquals(show([...many, SHOWN].map((line) => `${line}\n`)), [many, "limit display"]);
});

Deno.test("offered displays have half of the room, stand between lines, and end no run", () => {
  const displays: string[] = [];
  const output = limitOutput(
    { outputBytes: 1, outputLines: 1, displayBytes: 10_000 },
    (_stream, bytes) => void displays.push(new TextDecoder().decode(bytes)),
  );
  const write = (text: string) => output.sink(DISPLAYS, new TextEncoder().encode(text));
  const offer = (text: string) => output.offer(new TextEncoder().encode(text));
  const offered = (n: number) => `{"data":{"a/b":"offered ${n}"}}`;
  write(SHOWN.slice(0, 5));
  offer(offered(0));
  offer("nothing");
  offer(`{"data":{"a/b":"${"x".repeat(6_000)}"}}`);
  write(`${SHOWN.slice(5)}\n`);
  assertEquals(displays, [offered(0), SHOWN]);
  for (let n = 1; n < MAX_DISPLAYS; n++) offer(offered(n));
  assertEquals(displays.length, MAX_DISPLAYS / 2);
  for (let n = 0; n < MAX_DISPLAYS / 2; n++) write(`${SHOWN}\n`);
  assertEquals(displays.length, MAX_DISPLAYS);
  const outcome = { fuelConsumed: 0, memoryBytes: 0, durationMs: 0, intact: true } as const;
  assertEquals(output.outcome({ ending: { kind: "none" }, ...outcome }).ending.kind, "none");
});
