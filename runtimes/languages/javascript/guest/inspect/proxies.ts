/**
 * The targets of proxies. JavaScript code cannot distinguish a proxy from its target, so a console
 * written in it would run the guest's traps while printing. Guests therefore get a `Proxy` that
 * remembers target and handler.
 *
 * @module
 */
import {
  bare,
  dataDescriptor,
  ObjectDefineProperty,
  ReflectApply,
  ReflectConstruct,
  WeakMapPrototypeGet,
  WeakMapPrototypeSet,
} from "../primordials.ts";

/** Target and handler; both null once the proxy is revoked. */
export interface ProxyDetails {
  readonly target: object | null;
  readonly handler: object | null;
}

const NativeProxy = Proxy;
const nativeRevocable = Proxy.revocable;
const known = new WeakMap<object, ProxyDetails>();
const REVOKED: ProxyDetails = bare({ target: null, handler: null });

/** Target and handler of a proxy; undefined for anything else. */
export function proxyDetails(value: object): ProxyDetails | undefined {
  return WeakMapPrototypeGet(known, value) as ProxyDetails | undefined;
}

/** The final target of a chain of proxies; null if one of them is revoked. */
export function unwrapProxy(value: object): object | null {
  let current: object | null = value;
  while (current !== null) {
    const details = proxyDetails(current);
    if (details === undefined) return current;
    current = details.target;
  }
  return null;
}

function remember(proxy: object, target: unknown, handler: unknown): void {
  WeakMapPrototypeSet(known, proxy, bare({ target, handler }));
}

function createRevocable(target: unknown, handler: unknown): object {
  const { proxy, revoke } = ReflectApply(nativeRevocable, NativeProxy, [target, handler]) as {
    proxy: object;
    revoke: () => void;
  };
  remember(proxy, target, handler);
  return {
    proxy,
    revoke() {
      WeakMapPrototypeSet(known, proxy, REVOKED);
      revoke();
    },
  };
}

/** Replaces the engine's `Proxy` by one that remembers target and handler. */
export function installProxy(): void {
  const revocable =
    { revocable: (target: unknown, handler: unknown) => createRevocable(target, handler) }
      .revocable;
  const handler = bare({
    construct(native: typeof Proxy, args: readonly unknown[], newTarget: object): object {
      const proxy: object = ReflectConstruct(
        native,
        args,
        newTarget === Guest ? native : newTarget as typeof Proxy,
      );
      remember(proxy, args[0], args[1]);
      return proxy;
    },
  });
  const Guest: typeof Proxy = new NativeProxy(NativeProxy, handler);
  ObjectDefineProperty(NativeProxy, "revocable", dataDescriptor(revocable));
  ObjectDefineProperty(globalThis, "Proxy", dataDescriptor(Guest));
}
