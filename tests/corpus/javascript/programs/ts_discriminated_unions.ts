type Shape =
  | { kind: "circle"; radius: number }
  | { kind: "rect"; width: number; height: number }
  | { kind: "polygon"; sides: number[] };
type Result<T, E = Error> = { ok: true; value: T } | { ok: false; error: E };

const area = (s: Shape): number => {
  switch (s.kind) {
    case "circle": return Math.PI * s.radius ** 2;
    case "rect": return s.width * s.height;
    case "polygon": throw new RangeError(`no area for ${s.sides.length} sides`);
    default: return assertNever(s);
  }
};
function assertNever(x: never): never { throw new Error(`Unexpected: ${JSON.stringify(x)}`); }
function attempt<T>(fn: () => T): Result<T, string> {
  try { return { ok: true, value: fn() }; } catch (e: unknown) { return { ok: false, error: e instanceof Error ? `${e.name}: ${e.message}` : String(e) }; }
}
const shapes: Shape[] = [{ kind: "circle", radius: 1 }, { kind: "rect", width: 2, height: 3 }, { kind: "polygon", sides: [1, 2, 3] }];
for (const shape of shapes) console.log(shape.kind, attempt(() => area(shape)));
console.log(attempt(() => area({ kind: "blob" } as never)));

function isRect(s: Shape): s is Extract<Shape, { kind: "rect" }> { return s.kind === "rect"; }
function assertString(v: unknown): asserts v is string { if (typeof v !== "string") throw new TypeError(`expected string, got ${typeof v}`); }
console.log(shapes.filter(isRect).map((r) => r.width));
const input: unknown = 42;
try { assertString(input); console.log(input.length); } catch (e) { console.log((e as Error).message); }
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
const depth = (j: Json): number => j !== null && typeof j === "object" ? 1 + Math.max(0, ...Object.values(j).map(depth)) : 0;
console.log(depth({ a: [1, { b: null }], c: "x" }));
const unwrap = <T,>(r: Result<T, unknown>): T => { if (!r.ok) throw new Error("unwrap failed", { cause: r.error }); return r.value; };
console.log(unwrap({ ok: true, value: [1] }));
try { unwrap({ ok: false, error: "why" }); } catch (e) { if (e instanceof Error) console.log(e.message, e.cause); }
