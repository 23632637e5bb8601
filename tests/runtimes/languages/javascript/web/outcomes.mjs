// Evaluates expressions and writes their outcomes as text, the same way in the guest and in Node.
// Nothing here is Node's or the guest's own; the guest runs this text without the `export`.

function own(value) {
  return Object.keys(value).map((key) => `${JSON.stringify(key)}:${show(value[key])}`).join();
}

function showObject(value) {
  if (Array.isArray(value)) {
    return `[${Array.from(value, (item, i) => i in value ? show(item) : "hole").join()}]`;
  }
  if (value instanceof Error) {
    const code = value.code === undefined ? "" : ` ${value.code}`;
    return `${value.name}${code}: ${value.message}${
      "cause" in value ? ` <- ${show(value.cause)}` : ""
    }`;
  }
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return `${value.constructor.name}<${Array.from(bytes).join(" ")}>`;
  }
  if (value instanceof ArrayBuffer) return `ArrayBuffer<${new Uint8Array(value).join(" ")}>`;
  if (value instanceof Map) return `Map(${show([...value])})`;
  if (value instanceof Set) return `Set(${show([...value])})`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof RegExp) return `RegExp(${value})`;
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  return `${tag === "Object" ? "" : tag}{${own(value)}}`;
}

function show(value) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    case "function":
      return `function ${value.name}/${value.length}`;
    case "object":
      return value === null ? "null" : showObject(value);
    default:
      return String(value);
  }
}

async function outcome(source) {
  try {
    return show(await Function(`return (${source}\n)`)());
  } catch (error) {
    if (!(error instanceof Error)) return `throws ${show(error)}`;
    return `throws ${error.name}${
      error.code === undefined ? "" : ` ${error.code}`
    }: ${error.message}`;
  }
}

export async function outcomes(sources) {
  const all = [];
  for (const source of sources) all.push(await outcome(source));
  return all;
}
