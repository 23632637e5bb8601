/**
 * CPython calls some C functions through pointers of another type, on which WebAssembly traps. Its
 * remedy is a helper module, which finds the type of a function and calls it with as many arguments
 * as it takes (`_PyEM_TrampolineCall`).
 *
 * @module
 */

const I32 = 0x7f;
const FUNCTION = 0x60;
const FUNCREF = 0x70;
const OP = {
  if: [0x04, 0x40],
  end: 0x0b,
  return: 0x0f,
  callIndirect: 0x11,
  localGet: 0x20,
  tableGet: 0x25,
  store: [0x36, 0x02, 0x00],
  constant: 0x41,
  refTest: [0xfb, 0x14],
} as const;
/** Parameters: the address of the flag for success, the function, three arguments. */
const SUCCESS = 0;
const CALLEE = 1;
const FIRST_ARGUMENT = 2;
const MAX_ARGUMENTS = 3;
/** Type of the helper itself. The types 0 to 3 take 0 to 3 arguments. */
const HELPER_TYPE = 4;
const HELPER_PARAMETERS = 5;

function text(value: string): number[] {
  return [value.length, ...new TextEncoder().encode(value)];
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...length(content.length), ...content];
}

/** LEB128 of numbers below 2^14. */
function length(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7];
}

function functionType(parameters: number): number[] {
  return [FUNCTION, parameters, ...new Array<number>(parameters).fill(I32), 1, I32];
}

function callWith(count: number): number[] {
  const values = Array.from(
    { length: count },
    (_, index) => [OP.localGet, FIRST_ARGUMENT + index],
  );
  return [
    ...[OP.localGet, CALLEE, OP.tableGet, 0, ...OP.refTest, count, ...OP.if],
    ...values.flat(),
    ...[OP.localGet, CALLEE, OP.callIndirect, count, 0, OP.return, OP.end],
  ];
}

function helperBody(): number[] {
  return [
    0,
    ...[OP.localGet, SUCCESS, OP.constant, 1, ...OP.store],
    ...[3, 2, 1, 0].flatMap(callWith),
    ...[OP.localGet, SUCCESS, OP.constant, 0, ...OP.store],
    ...[OP.constant, 0, OP.end],
  ];
}

/** The helper module's bytes. */
export function trampolineBytes(): Uint8Array<ArrayBuffer> {
  const arities = [...Array(MAX_ARGUMENTS + 1).keys(), HELPER_PARAMETERS];
  const body = helperBody();
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [arities.length, ...arities.flatMap(functionType)]),
    ...section(2, [
      2,
      ...[...text("env"), ...text("memory"), 2, 0, 1],
      ...[...text("env"), ...text("table"), 1, FUNCREF, 0, 1],
    ]),
    ...section(3, [1, HELPER_TYPE]),
    ...section(7, [1, ...text("call"), 0, 0]),
    ...section(10, [1, ...length(body.length), ...body]),
  ]);
}

/** Makes the helper for an instance and returns its index in the function table. */
export function addTrampoline(
  helper: WebAssembly.Module,
  memory: WebAssembly.Memory,
  table: WebAssembly.Table,
): number {
  const { exports } = new WebAssembly.Instance(helper, { env: { memory, table } });
  const { call } = exports;
  if (typeof call !== "function") throw new TypeError("The helper has no function");
  const index = table.grow(1);
  table.set(index, call);
  return index;
}
