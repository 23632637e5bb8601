import { readFileSync, writeFileSync, type Stats } from "node:fs";
import type { IncomingMessage } from "node:http";
import * as path from "node:path";
import { EventEmitter } from "node:events";
import util, { type InspectOptions } from "node:util";

export interface Config { readonly port: number; hosts: string[] }
export type { Stats };
export const defaults: Config = { port: 80, hosts: [] };
export function load(file: string): Config {
  const raw: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!isConfig(raw)) throw new TypeError(`Bad config in ${path.basename(file)}`);
  return { ...defaults, ...raw };
}
const isConfig = (v: unknown): v is Partial<Config> =>
  typeof v === "object" && v !== null && (!("port" in v) || typeof v.port === "number");

writeFileSync("good.json", JSON.stringify({ port: 8080 }));
writeFileSync("bad.json", '{"port": "x"}');
console.log(load("good.json"));
try { load("bad.json"); } catch (e) { console.log(e instanceof TypeError && e.message); }

class Typed extends EventEmitter { override emit(event: string | symbol, ...args: unknown[]): boolean { console.log("emit", String(event), args); return super.emit(event, ...args); } }
const t = new Typed(); t.on("x", (n: number) => console.log("got", n)); console.log(t.emit("x", 1), t.emit("y"));
const options: InspectOptions = { depth: 0 }; console.log(util.inspect({ a: { b: 1 } }, options));
type Req = Pick<IncomingMessage, "url">; const req: Req = { url: "/x" }; console.log(req);
const data = await Promise.resolve<readonly number[]>([1, 2, 3]); console.log(data.at(-1));
let value: unknown = "text"; const len = (value as string).length, len2 = (<string>value).length; console.log(len, len2);
function isDefined<T>(x: T | undefined | null): x is T { return x != null; } console.log([1, null, 2, undefined].filter(isDefined));
export enum Level { Debug = 1, Info } console.log(Level[Level.Info], Level.Debug);
const by = <K extends PropertyKey, T>(xs: T[], key: (x: T) => K): Partial<Record<K, T[]>> => xs.reduce((acc, x) => { (acc[key(x)] ??= []).push(x); return acc; }, {} as Record<K, T[]>); console.log(by(["a", "bb", "cc"], (s) => s.length));
const sym: unique symbol = Symbol("s"); const withSym: { [sym]?: number } = { [sym]: 1 }; console.log(withSym);
let definite!: string; definite = "assigned"; console.log(definite); var legacy: Array<[string, number]> = [["a", 1]]; for (const [k, v] of legacy) console.log(k, v);
