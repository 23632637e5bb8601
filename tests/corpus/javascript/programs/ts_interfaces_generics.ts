interface Identified { readonly id: number }
interface User extends Identified { name: string; email?: string; tags: readonly string[] }
type Keyed<T, K extends keyof T> = { [P in K]: T[P] };

class Repository<T extends Identified> {
  private items = new Map<number, T>();
  constructor(private readonly label: string, initial: Iterable<T> = []) {
    for (const item of initial) this.items.set(item.id, item);
  }
  find(predicate: (item: T) => boolean): T | undefined {
    return [...this.items.values()].find(predicate);
  }
  save<S extends T>(item: S): this {
    this.items.set(item.id, item);
    return this;
  }
  pluck<K extends keyof T>(key: K): T[K][] {
    return Array.from(this.items.values(), (item) => item[key]);
  }
  get size(): number { return this.items.size; }
  toString(): string { return `${this.label}(${this.size})`; }
}

function pick<T extends object, K extends keyof T>(value: T, ...keys: K[]): Keyed<T, K> {
  return Object.fromEntries(keys.map((k) => [k, value[k]])) as Keyed<T, K>;
}
const first = <T,>(xs: readonly T[]): T | undefined => xs[0];
const identity = <T>(x: T): T => x;

const repo = new Repository<User>("users", [{ id: 1, name: "Ann", tags: ["admin"] }]);
repo.save({ id: 2, name: "Bob", tags: [], email: "bob@example.org" });
console.log(`${repo}`, repo.pluck("name"), repo.find((u) => u.email !== undefined)?.name!);
console.log(repo);
console.log(pick({ a: 1, b: "two", c: [3] }, "a", "c"), first([1, 2]), first<string>([]), identity<number>(5));
const lengths: Record<string, number> = {};
for (const word of ["alpha", "be"] as const) lengths[word] = word.length;
console.log(lengths, new Map<string, Set<number>>([["k", new Set<number>([1])]]));
