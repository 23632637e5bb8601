abstract class DomainError extends Error { abstract readonly code: number; constructor(message: string, options?: ErrorOptions) { super(message, options); this.name = new.target.name; } describe(): string { return `[${this.code}] ${this.name}: ${this.message}`; } }
class NotFound extends DomainError { readonly code = 404; constructor(public readonly resource: string, id: string | number) { super(`${resource} ${id} not found`); } }
class Conflict extends DomainError { override readonly code = 409 as const; constructor(message: string, readonly fields: ReadonlyArray<string> = []) { super(message); } }
class Wrapped extends DomainError { code = 500; }
const store = new Map<number, { id: number; email: string }>([[1, { id: 1, email: "a@x.org" }]]);
const get = (id: number) => { const u = store.get(id); if (!u) throw new NotFound("User", id); return u; };
async function register(id: number, email: string): Promise<{ id: number; email: string }> {
  await Promise.resolve();
  for (const u of store.values()) if (u.email === email) throw new Conflict("email taken", ["email"]);
  const user = { id, email }; store.set(id, user); return user;
}
const attempts: Array<() => unknown | Promise<unknown>> = [() => get(1), () => get(2), () => register(3, "c@x.org"), () => register(4, "a@x.org"), () => { try { get(9); } catch (cause) { throw new Wrapped("lookup failed", { cause }); } }, () => { throw "a string"; }];
for (const [i, attempt] of attempts.entries()) {
  try { console.log(i, await attempt()); }
  catch (e) {
    if (e instanceof NotFound) console.log(i, e.describe(), e.resource);
    else if (e instanceof Conflict) console.log(i, e.describe(), e.fields);
    else if (e instanceof DomainError) console.log(i, e.describe(), e.cause instanceof NotFound ? e.cause.message : e.cause);
    else console.log(i, "unknown", e);
  } finally { if (i === 5) console.log("finished"); }
}
const err = new NotFound("Page", "home"); console.log(Object.keys(err), err.toString(), JSON.stringify(err), err instanceof Error, err.name);
const retry = async <T>(fn: (attempt: number) => Promise<T>, { times = 3, delay = 1 }: { times?: number; delay?: number } = {}): Promise<T> => { let last: unknown; for (let i = 1; i <= times; i++) { try { return await fn(i); } catch (e) { last = e; await new Promise<void>((r) => setTimeout(r, delay * i)); } } throw new AggregateError([last], `failed ${times} times`); };
console.log(await retry(async (n) => { if (n < 3) throw new Error("again"); return `ok after ${n}`; })); await retry(() => Promise.reject(new RangeError("never")), { times: 2 }).catch((e: AggregateError) => console.log(e.message, (e.errors as Error[]).map((x) => x.message)));
