/**
 * Replaces a static import: bindings come from the guest's module function, which returns an object
 * with a module's exports by name.
 *
 * @module
 */
import type {
  ExportAllDeclaration,
  ExportNamedDeclaration,
  Identifier,
  ImportDeclaration,
  Literal,
} from "acorn";
import { IMPORT_FUNCTION } from "../loader_names.ts";
import type { ImportRules } from "./import_rules.ts";

/** A statement that loads a module. */
export type LoadingStatement =
  | ImportDeclaration
  | ExportAllDeclaration
  | ExportNamedDeclaration & { readonly source: Literal };

/** A string literal on one line, for any text. */
export function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

/** An imported or exported name. */
export function nameOf(node: Identifier | Literal): string {
  return node.type === "Identifier" ? node.name : String(node.value);
}

/**
 * An expression for a module's exports that throws, as linking does, when one of `names` is
 * missing. A module that still runs may get it later.
 */
export function loadExpression(
  specifier: string,
  names: readonly string[],
  isOptional = false,
): string {
  const load = `${IMPORT_FUNCTION}(${quoted(specifier)}${isOptional ? ",true" : ""})`;
  if (names.length === 0) return load;
  const before = quoted(`The requested module '${specifier}' does not provide an export named '`);
  return `((m,n)=>{for(let i=0;i<n.length;i++)if(!(n[i]in m)&&!Object.isExtensible(m))` +
    `throw new SyntaxError(${before}+n[i]+"'");return m})(${load},[${names.map(quoted)}])`;
}

/** Specifiers of files. Their exports may change, or get their values after the import. */
const FILE = /^(?:\.{0,2}\/|file:)/;

/** The name of the variable that holds a loaded module. */
export function moduleName(index: number): string {
  return `__belljar_module_${index}__`;
}

/** The named imports of a statement that are read from its module at each use: local → exported name. */
export function liveImports(statement: LoadingStatement): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  if (statement.type !== "ImportDeclaration" || !FILE.test(String(statement.source.value))) {
    return names;
  }
  for (const node of statement.specifiers) {
    if (node.type === "ImportNamespaceSpecifier") continue;
    const name = node.type === "ImportDefaultSpecifier" ? "default" : nameOf(node.imported);
    names.set(node.local.name, name);
  }
  return names;
}

function importDeclaration(
  statement: ImportDeclaration,
  specifier: string,
  { rules, holder, bindsLive }: BindingOptions,
): string {
  const loading = rules.loading(statement);
  if (loading === "never") return ";";
  const wanted: string[] = [];
  const members: string[] = [];
  let namespace: string | undefined;
  for (const node of statement.specifiers) {
    if (node.type === "ImportNamespaceSpecifier") {
      namespace = node.local.name;
      continue;
    }
    const name = node.type === "ImportDefaultSpecifier" ? "default" : nameOf(node.imported);
    if (rules.isRequired(node.local.name)) wanted.push(name);
    members.push(`${quoted(name)}:${node.local.name}`);
  }
  const load = loadExpression(specifier, wanted, loading === "if there is one");
  const pattern = `{${members.join(",")}}`;
  if (liveImports(statement).size > 0) {
    const also = namespace === undefined ? "" : `,${namespace}=${holder}`;
    return `const ${holder}=${load}${also}${bindsLive ? `,${pattern}=${holder}` : ""};`;
  }
  if (namespace !== undefined) {
    return members.length === 0
      ? `const ${namespace}=${load};`
      : `const ${namespace}=${load},${pattern}=${namespace};`;
  }
  return members.length === 0 ? `void ${load};` : `const ${pattern}=${load};`;
}

/** How a statement binds its names. */
export interface BindingOptions {
  readonly rules: ImportRules;
  /** The variable for the module, if its exports are read at each use. */
  readonly holder: string;
  /** Whether such names are variables too, for later scripts. */
  readonly bindsLive: boolean;
}

/** The statements that replace `statement`, on one line and ended by a semicolon. */
export function bindingFor(statement: LoadingStatement, options: BindingOptions): string {
  const specifier = String(statement.source.value);
  if (statement.type === "ImportDeclaration") {
    return importDeclaration(statement, specifier, options);
  }
  const { rules } = options;
  const names = statement.type === "ExportNamedDeclaration" && rules.requiresReexports
    ? statement.specifiers.map(({ local }) => nameOf(local))
    : [];
  return `void ${loadExpression(specifier, names)};`;
}
