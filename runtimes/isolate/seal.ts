/**
 * Takes away from the isolate's global scope what its permissions leave open: stores that
 * persist between processes, and ways to start more code. The guest never reaches this scope;
 * this is for the day that it does.
 *
 * @module
 */

const GLOBALS = [
  "BroadcastChannel",
  "EventSource",
  "WebSocket",
  "WebSocketStream",
  "Worker",
  "XMLHttpRequest",
  "caches",
  "fetch",
  "indexedDB",
  "localStorage",
  "sessionStorage",
] as const;

const DENO = [
  "Command",
  "bench",
  "connect",
  "connectTls",
  "createHttpClient",
  "cron",
  "dlopen",
  "kill",
  "listen",
  "listenDatagram",
  "listenTls",
  "openKv",
  "permissions",
  "run",
  "test",
] as const;

/** Deletes a property; what cannot be deleted is made undefined. */
function remove(target: object, name: string): void {
  if (Reflect.deleteProperty(target, name)) return;
  Reflect.set(target, name, undefined);
}

/**
 * Removes the doors. Finalization callbacks go too: they would enter an engine at moments that
 * only the garbage collector chooses.
 */
export function sealGlobals(): void {
  for (const name of GLOBALS) remove(globalThis, name);
  for (const name of DENO) remove(Deno, name);
  class NoFinalization {
    register(): void {}
    unregister(): boolean {
      return false;
    }
  }
  Reflect.set(globalThis, "FinalizationRegistry", NoFinalization);
}
