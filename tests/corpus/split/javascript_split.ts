/**
 * JavaScript and TypeScript at their top-level statements.
 *
 * @module
 */
import { type AnyNode, type Options, parse, type Program } from "acorn";
import { TypeStripper } from "../../../runtimes/languages/javascript/host/source/typescript.ts";
import { stripperModule } from "../../runtimes/languages/javascript/source/preparer.ts";
import { readPrograms } from "../javascript/programs.ts";
import { Joints, linesIn, type Statement } from "./pieces.ts";

const OPTIONS: Options = {
  ecmaVersion: "latest",
  sourceType: "script",
  allowAwaitOutsideFunction: true,
  allowHashBang: true,
  allowImportExportEverywhere: true,
  allowReturnOutsideFunction: true,
};
const STRICT = "'use strict';";
const PENDING = "pending work";
/** Stands for `async` among names. */
const ASYNC = "async function";
/** Statements that leave work for later, or change the run's own state. */
const LASTING = new Map([
  ...["setTimeout", "setInterval", "setImmediate", "queueMicrotask", "nextTick", "then", "Promise"]
    .map((name) => [name, PENDING] as const),
  ...["emitWarning", "countReset", "timeLog", "timeEnd"].map((name) => [name, PENDING] as const),
  ...["createReadStream", "createWriteStream", "createInterface", "pipeline", "pipe", "on", "once"]
    .map((name) => [name, PENDING] as const),
  ...["openSync", "opendirSync", "open", "opendir"].map((name) => [name, "an open file"] as const),
  ...["exit", "exitCode"].map((name) => [name, "the end of the program"] as const),
  ["env", "environ change"],
  [ASYNC, PENDING],
]);

/** Facts about a statement. */
interface Facts {
  /** Every name that it may use when it runs, those of properties too. */
  readonly names: ReadonlySet<string>;
  /** Names that are there before the statement is reached. */
  readonly hoisted: ReadonlySet<string>;
  /** It only declares: nothing in it runs yet. */
  readonly inert: boolean;
  /** It waits for what it starts. */
  readonly awaits: boolean;
}

/** By the name of a function or method: the names its body uses. */
type Bodies = Map<string, Set<string>>;

/** Programs of the corpus as the splitter takes them: enums and the like are compiled first. */
export function javaScriptPrograms(): ReadonlyMap<string, string> {
  const stripper = new TypeStripper(stripperModule);
  return new Map(
    readPrograms().map(({ name, code, typescript }) => {
      const stripped = typescript ? stripper.strip(code) : undefined;
      return [name, stripped?.kind === "code" && stripped.transformed ? stripped.code : code];
    }),
  );
}

/** The statements of a program. */
export function splitJavaScript(code: string): readonly Statement[] {
  const program = parse(plainScript(code), OPTIONS);
  const { body } = program;
  const bodies: Bodies = new Map();
  const facts = body.map((statement) => factsOf(statement, bodies));
  const joints = new Joints(body.length);
  joinHoisted(joints, facts, bodies);
  joinLasting(joints, facts, bodies);
  if (body.some(isOfModule)) joints.join(0, body.length - 1, "what only a module has");
  const prelude = isStrict(program) ? STRICT : "";
  return body.map((_node, index) => {
    const start = index === 0 ? 0 : body[index]?.start ?? 0;
    return {
      text: code.slice(start, body[index + 1]?.start),
      prelude: prelude + linesIn(code.slice(0, start)),
      ...joints.at(index),
    };
  });
}

/** JavaScript of which every character stands where it stood. */
function plainScript(code: string): string {
  try {
    parse(code, OPTIONS);
    return code;
  } catch {
    const stripped = new TypeStripper(stripperModule).strip(code);
    if (stripped.kind === "code" && !stripped.transformed) return stripped.code;
    throw new SyntaxError("The program is neither JavaScript nor TypeScript that can be stripped");
  }
}

function isStrict({ body }: Program): boolean {
  return body.some((node) =>
    /^(?:Import|Export)/.test(node.type) ||
    (node.type === "ExpressionStatement" && node.directive === "use strict")
  );
}

/** No statement that runs may use, by whatever way, a name that only a later one brings. */
function joinHoisted(joints: Joints, facts: readonly Facts[], bodies: Bodies): void {
  facts.forEach((fact, index) => {
    if (fact.inert) return;
    const used = reachable(fact, bodies);
    facts.forEach(({ hoisted }, later) => {
      const forward = later > index && [...hoisted].some((name) => used.has(name));
      if (forward) joints.join(index, later, "forward reference");
    });
  });
}

function joinLasting(joints: Joints, facts: readonly Facts[], bodies: Bodies): void {
  facts.forEach((fact, index) => {
    if (fact.inert) return;
    const used = reachable(fact, bodies);
    for (const [name, reason] of LASTING) {
      const awaited = reason === PENDING && fact.awaits;
      if (used.has(name) && !awaited) joints.joinRest(index, reason);
    }
  });
}

/** `this` and `return` outside of functions: a run of a context is no module. */
function isOfModule(node: AnyNode): boolean {
  if (node.type === "ThisExpression" || node.type === "ReturnStatement") return true;
  if (/^(?:Function|Class)|^MethodDefinition$|^Property$/.test(node.type)) return false;
  if (node.type === "ArrowFunctionExpression") return false;
  return childrenOf(node).some(isOfModule);
}

/** All names that running a statement may come to. */
function reachable(from: Facts, bodies: Bodies): ReadonlySet<string> {
  const found = new Set(from.names);
  for (const name of found) {
    for (const used of bodies.get(name) ?? []) found.add(used);
  }
  return found;
}

function factsOf(statement: AnyNode, bodies: Bodies): Facts {
  const declaration = "declaration" in statement && statement.declaration
    ? statement.declaration
    : statement;
  const isFunction = declaration.type === "FunctionDeclaration";
  const isVar = declaration.type === "VariableDeclaration" && declaration.kind === "var";
  const names = new Set<string>();
  const awaits = collect(declaration, names, bodies);
  const isInert = isFunction || statement.type === "ImportDeclaration" ||
    (declaration.type === "VariableDeclaration" &&
      declaration.declarations.every(({ init }) => isFunctionNode(init)));
  return {
    names,
    hoisted: new Set(isFunction || isVar ? declaredBy(declaration) : []),
    inert: isInert,
    awaits,
  };
}

/**
 * Gathers the names that a node may use when it runs; those in named functions and methods go to
 * the bodies. Tells whether it awaits something itself.
 */
function collect(node: AnyNode, names: Set<string>, bodies: Bodies): boolean {
  const named = namedFunction(node);
  if (named !== undefined) {
    const body = bodies.get(named.name) ?? new Set<string>();
    bodies.set(named.name, body);
    if (named.body.async) body.add(ASYNC);
    for (const child of childrenOf(named.body)) collect(child, body, bodies);
    return false;
  }
  if (node.type === "ClassDeclaration" && node.id) {
    const made = bodies.get(node.id.name) ?? new Set(["constructor"]);
    bodies.set(node.id.name, made);
    for (const child of childrenOf(node)) collect(child, made, bodies);
    return false;
  }
  if (node.type === "Identifier") names.add(node.name);
  if (node.type === "PrivateIdentifier") names.add(node.name);
  if (isFunctionNode(node)) {
    if (node.async) names.add(ASYNC);
    for (const child of childrenOf(node)) collect(child, names, bodies);
    return false;
  }
  let awaits = node.type === "AwaitExpression" || (node.type === "ForOfStatement" && node.await);
  for (const child of childrenOf(node)) awaits = collect(child, names, bodies) || awaits;
  return awaits;
}

interface FunctionNode {
  readonly async: boolean;
}

/** A function that does not run where it stands, and the name it is called by. */
function namedFunction(
  node: AnyNode,
): { readonly name: string; readonly body: AnyNode & FunctionNode } | undefined {
  if (node.type === "FunctionDeclaration" && node.id) return { name: node.id.name, body: node };
  if (node.type === "VariableDeclarator") return namedBy(node.id, node.init);
  if (node.type === "AssignmentExpression" && node.left.type === "MemberExpression") {
    return namedBy(node.left.property, node.right);
  }
  if (["MethodDefinition", "Property", "PropertyDefinition"].includes(node.type)) {
    return "key" in node && "value" in node ? namedBy(node.key, node.value) : undefined;
  }
  return undefined;
}

function namedBy(key: unknown, value: unknown) {
  if (!isNode(key) || !isFunctionNode(value)) return undefined;
  const isName = key.type === "Identifier" || key.type === "PrivateIdentifier";
  return isName ? { name: key.name, body: value } : undefined;
}

function isFunctionNode(value: unknown): value is AnyNode & FunctionNode {
  return isNode(value) && /^(?:Arrow)?Function(?:Expression|Declaration)$/.test(value.type);
}

function declaredBy(node: AnyNode): readonly string[] {
  switch (node.type) {
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return node.id === null ? [] : [node.id.name];
    case "VariableDeclaration":
      return node.declarations.flatMap(({ id }) => namesOf(id));
    case "ImportDeclaration":
      return node.specifiers.map(({ local }) => local.name);
    default:
      return [];
  }
}

function namesOf(pattern: AnyNode): readonly string[] {
  const names = new Set<string>();
  collect(pattern, names, new Map());
  return [...names];
}

function childrenOf(node: AnyNode): readonly AnyNode[] {
  return Object.values(node).flatMap((value) => Array.isArray(value) ? value : [value])
    .filter(isNode);
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
