interface Todo { id: number; title: string; done: boolean; due?: Date; meta: { tags: string[]; priority: 1 | 2 | 3 } }
type Draft = Omit<Todo, "id"> & { id?: never };
type Patch = Partial<Pick<Todo, "title" | "done">>;
type DeepReadonly<T> = { readonly [K in keyof T]: T[K] extends object ? DeepReadonly<T[K]> : T[K] };
type Getters<T> = { [K in keyof T as `get${Capitalize<string & K>}`]: () => T[K] };
type ElementOf<A> = A extends readonly (infer E)[] ? E : never;
type EventName = `${"user" | "post"}:${"created" | "deleted"}`;

let next = 1;
const create = (d: Draft): Todo => ({ ...d, id: next++ });
const update = (t: Readonly<Todo>, p: Patch): Todo => ({ ...t, ...p });
const t1 = create({ title: "write", done: false, meta: { tags: ["a"], priority: 2 } });
console.log(t1, update(t1, { done: true }).done);
const frozen: DeepReadonly<Todo> = Object.freeze(t1);
console.log(frozen.meta.tags.length);
function getters<T extends object>(o: T): Getters<T> {
  return Object.fromEntries(Object.entries(o).map(([k, v]) => [`get${k[0]!.toUpperCase()}${k.slice(1)}`, () => v])) as Getters<T>;
}
console.log(getters({ name: "x", size: 3 }).getName(), Object.keys(getters({ a: 1, bee: 2 })));
const palette = { red: [255, 0, 0], green: "#00ff00" } satisfies Record<string, string | number[]>;
console.log(palette.red.map((n) => n / 255), palette.green.toUpperCase());
const routes = ["home", "about"] as const;
type Route = (typeof routes)[number];
const go = (r: Route): string => `/${r}`;
console.log(routes.map(go));
const handlers: { [E in EventName]?: (payload: string) => void } = { "user:created": (p) => console.log("created", p) };
handlers["user:created"]?.("ann"); handlers["post:deleted"]?.("none");
const x: ElementOf<typeof routes> = "home"; const tuple: [name: string, age?: number, ...rest: boolean[]] = ["a", 1, true]; console.log(x, tuple);
type ReturnOf<F> = F extends (...a: never[]) => infer R ? R : never; const r: ReturnOf<typeof create> = t1; console.log(r === t1, (<Todo>r).title, r as Todo === t1);
let maybe: string | null = null as string | null; maybe ??= "set"; console.log(maybe!.length, maybe satisfies string);
