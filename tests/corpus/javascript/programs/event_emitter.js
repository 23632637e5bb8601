const EventEmitter = require("events");
class Store extends EventEmitter {
  #state = {};
  set(key, value) {
    const old = this.#state[key];
    this.#state[key] = value;
    this.emit("change", { key, old, value });
    this.emit(`change:${key}`, value);
    return this;
  }
}
const store = new Store();
store.on("change", ({ key, old, value }) => console.log(`${key}: ${old} -> ${value}`));
store.once("change:a", (v) => console.log("first a", v));
store.prependListener("change", () => console.log("(prepended)"));
store.set("a", 1).set("a", 2).set("b", [1]);
console.log(store.listenerCount("change"), store.eventNames(), store.emit("nothing"));
const handler = () => console.log("removed?");
store.on("x", handler);
store.off("x", handler);
store.emit("x");
store.on("error", (e) => console.log("error event:", e.message));
store.emit("error", new Error("boom"));
store.removeAllListeners("error");
try { store.emit("error", new Error("unhandled boom")); } catch (e) { console.log("thrown:", e.message); }
try { store.emit("error", { code: 42 }); } catch (e) { console.log(e.code, e.message); }
const { once, on } = EventEmitter;
(async () => {
  setTimeout(() => store.emit("ready", "yes", 7), 5);
  console.log(await once(store, "ready"));
  setTimeout(() => { for (let i = 0; i < 3; i++) store.emit("data", i); }, 1);
  let n = 0;
  for await (const [value] of on(store, "data")) { console.log("data", value); if (++n === 3) break; }
  console.log(store.listeners("data").length, EventEmitter.defaultMaxListeners);
})();
