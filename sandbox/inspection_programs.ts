/**
 * Programs that look at the memory of a context: names with a beginning, the meaning of a name, and
 * variables. They run like any program of the caller, and all that they do is thrown away.
 *
 * @module
 */
import type { Language } from "../client/protocol/types.ts";

/** Most names in an answer. */
export const MAX_NAMES = 200;
/** Most characters of a preview, and of the meaning of a name. */
const PREVIEW_CHARS = 200;
const TEXT_CHARS = 8_000;

/** The question that a program answers. */
export interface InspectionQuestion {
  /** The names before the last dot. */
  readonly path: readonly string[];
  /** The beginning of the name. */
  readonly prefix: string;
  /** Names that may be variables, where the language cannot list them. */
  readonly candidates: readonly string[];
}

/** The programs of a language: their value is an object of JSON. */
interface InspectionPrograms {
  /** Whether it needs candidates. */
  readonly tries: boolean;
  /** `{matches: [{name, type}], text: string or null}` */
  readonly inspect: (question: InspectionQuestion) => string;
  /** `[{name, type, size?, preview}]` */
  readonly variables: (candidates: readonly string[]) => string;
}

const PYTHON_COMMON = `
def __belljar_kind(value):
    import types
    if isinstance(value, types.ModuleType): return "module"
    if isinstance(value, type): return "class"
    if isinstance(value, (types.FunctionType, types.BuiltinFunctionType, types.MethodType)):
        return "function"
    return type(value).__name__

def __belljar_preview(value):
    import reprlib
    short = reprlib.Repr(maxlist=20, maxtuple=20, maxdict=20, maxset=20, maxstring=${PREVIEW_CHARS},
        maxother=${PREVIEW_CHARS})
    try: text = short.repr(value)
    except Exception as error: text = f"({type(error).__name__})"
    return text if len(text) <= ${PREVIEW_CHARS} else text[:${PREVIEW_CHARS - 1}] + "\\u2026"
`;

const PYTHON: InspectionPrograms = {
  tries: false,
  inspect: ({ path, prefix }) =>
    `${PYTHON_COMMON}
def __belljar_inspect(path, prefix):
    import builtins, inspect, keyword
    space = globals()
    def value_of(names):
        first, *rest = names
        value = space[first] if first in space else getattr(builtins, first)
        for name in rest: value = getattr(value, name)
        return value
    def kind_of(name):
        try: return __belljar_kind(value_of([*path, name]))
        except Exception: return "keyword" if name in keyword.kwlist else ""
    try: names = dir(value_of(path)) if path else [*space, *dir(builtins), *keyword.kwlist]
    except Exception: names = []
    names = sorted({name for name in names if isinstance(name, str) and name.startswith(prefix)
        and not name.startswith("__belljar_") and (prefix != "" or not name.startswith("_"))})
    matches = [{"name": name, "type": kind_of(name)} for name in names[:${MAX_NAMES}]]
    try: value = value_of([*path, prefix])
    except Exception: return {"matches": matches, "text": None}
    name = ".".join([*path, prefix])
    try: head = f"{name}{inspect.signature(value)}" if callable(value) else None
    except (TypeError, ValueError): head = name
    if head is None: head = f"{name}: {type(value).__name__} = {__belljar_preview(value)}"
    kind = __belljar_kind(value)
    about = inspect.getdoc(value) if kind in ("module", "class", "function") else None
    return {"matches": matches, "text": (head + ("\\n\\n" + about if about else ""))[:${TEXT_CHARS}]}
__belljar_inspect(${pythonJson(path)}, ${pythonJson(prefix)})`,
  variables: () =>
    `${PYTHON_COMMON}
def __belljar_variables():
    found = []
    for name, value in list(globals().items()):
        kind = __belljar_kind(value)
        if name.startswith("_") or kind == "module": continue
        entry = {"name": name, "type": kind, "preview": __belljar_preview(value)}
        try:
            shape = getattr(value, "shape", None)
            entry["size"] = "×".join(map(str, shape)) if isinstance(shape, tuple) else str(len(value))
        except Exception: pass
        found.append(entry)
    return found[-${MAX_NAMES}:]
__belljar_variables()`,
};

/** JSON as an expression of Python. */
function pythonJson(value: unknown): string {
  const ascii = JSON.stringify(value).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `__import__("json").loads(${JSON.stringify(ascii)})`;
}

/** Names of declarations with `let`, `const` and `class` cannot be listed: they are tried. */
const JAVASCRIPT_COMMON = `
  const isOwn = (name) => !name.startsWith("__belljar") && !/^\\$\\d+[a-z]\\$$/.test(name);
  const kindOf = (value) => {
    if (value === null) return "null";
    if (typeof value === "function") return /^class\\b/.test(Function.prototype.toString.call(value)) ? "class" : "function";
    if (typeof value !== "object") return typeof value;
    return value?.constructor?.name || "object";
  };
  const previewOf = (value) => {
    try {
      const text = require("util").inspect(value, { depth: 1, maxArrayLength: 20, maxStringLength: ${PREVIEW_CHARS} })
        .replace(/\\s+/g, " ");
      return text.length > ${PREVIEW_CHARS} ? text.slice(0, ${
  PREVIEW_CHARS - 1
}) + "\\u2026" : text;
    } catch (error) { return "(" + (error?.name ?? "error") + ")"; }
  };`;

const JAVASCRIPT: InspectionPrograms = {
  tries: true,
  inspect: ({ path, prefix, candidates }) =>
    `((read) => {${JAVASCRIPT_COMMON}
  const [path, prefix, candidates] = ${JSON.stringify([path, prefix, candidates])};
  const valueOf = (names) => names.slice(1).reduce((value, name) => value[name], read(names[0]));
  const namesOf = (value) => {
    const names = new Set();
    for (let at = Object(value), n = 0; at !== null && n < 20; at = Object.getPrototypeOf(at), n++) {
      for (const name of Object.getOwnPropertyNames(at)) names.add(name);
    }
    return [...names];
  };
  const isThere = (name) => { try { read(name); return true; } catch { return false; } };
  let names = [];
  try {
    names = path.length > 0
      ? namesOf(valueOf(path))
      : [...Object.getOwnPropertyNames(globalThis), ...candidates.filter(isThere)];
  } catch {}
  names = [...new Set(names)].filter((name) => name.startsWith(prefix) && isOwn(name) &&
    /^[\\p{ID_Start}$_][\\p{ID_Continue}$]*$/u.test(name)).sort().slice(0, ${MAX_NAMES});
  const matches = names.map((name) => {
    try { return { name, type: kindOf(valueOf([...path, name])) }; } catch { return { name, type: "" }; }
  });
  let text = null;
  try {
    const value = valueOf([...path, prefix]);
    const name = [...path, prefix].join(".");
    if (value !== undefined || path.length === 0) {
      text = typeof value === "function"
        ? name + ": " + kindOf(value) + "\\n\\n" + Function.prototype.toString.call(value)
        : name + ": " + kindOf(value) + " = " + previewOf(value);
    }
  } catch {}
  return { matches, text: text && text.slice(0, ${TEXT_CHARS}) };
})((name) => (0, eval)(name))`,
  variables: (candidates) =>
    `((read) => {${JAVASCRIPT_COMMON}
  const found = [];
  const builtIn = ["NaN", "Infinity", "undefined"];
  const known = Object.getOwnPropertyNames(globalThis).filter((name) =>
    !builtIn.includes(name) &&
    Object.getOwnPropertyDescriptor(globalThis, name)?.configurable === false);
  for (const name of new Set([...known, ...${JSON.stringify(candidates)}])) {
    if (!isOwn(name)) continue;
    try {
      const value = read(name);
      if (name in globalThis && !known.includes(name)) continue;
      const size = value?.length ?? value?.size;
      found.push({ name, type: kindOf(value), preview: previewOf(value),
        ...(typeof size === "number" && typeof value !== "function" ? { size: String(size) } : {}) });
    } catch {}
  }
  return found.slice(-${MAX_NAMES});
})((name) => (0, eval)(name))`,
};

/** The programs of the languages that have them. */
export const INSPECTION_PROGRAMS: { readonly [L in Language]?: InspectionPrograms } = {
  python: PYTHON,
  javascript: JAVASCRIPT,
};
