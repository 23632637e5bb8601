const ac = new AbortController();
ac.signal.addEventListener("abort", (e) => console.log("aborted:", e.type, ac.signal.reason.name, ac.signal.aborted));
const cancellable = (ms, signal) => new Promise((resolve, reject) => {
  const t = setTimeout(resolve, ms, "finished");
  signal?.addEventListener("abort", () => { clearTimeout(t); reject(signal.reason); }, { once: true });
});
(async () => {
  setTimeout(() => ac.abort(), 5);
  try { await cancellable(100, ac.signal); } catch (e) { console.log(e.name, e.message, e instanceof DOMException, e.code); }
  console.log(await cancellable(5));
  const custom = AbortSignal.abort(new Error("custom reason")); console.log(custom.aborted, custom.reason.message);
  try { custom.throwIfAborted(); } catch (e) { console.log(e.message); }
  const timeout = AbortSignal.timeout(3); await new Promise((r) => setTimeout(r, 10)); console.log(timeout.aborted, timeout.reason.name, timeout.reason.message);
  const any = AbortSignal.any([AbortSignal.timeout(1000), ac.signal]); console.log(any.aborted, any.reason.name);
  try { await require("timers/promises").setTimeout(50, null, { signal: AbortSignal.abort() }); } catch (e) { console.log(e.name, e.code); }
})();
class Bus extends EventTarget { publish(type, detail) { return this.dispatchEvent(new CustomEvent(type, { detail, cancelable: true })); } }
const bus = new Bus();
bus.addEventListener("msg", (e) => console.log("1", e.detail, e.type, e.target === bus));
bus.addEventListener("msg", { handleEvent(e) { console.log("2 object listener", e.constructor.name); e.preventDefault(); } });
bus.addEventListener("msg", () => console.log("once"), { once: true });
console.log(bus.publish("msg", { n: 1 }), bus.publish("other"), bus.publish("msg", 2));
const ev = new Event("x", { bubbles: true }); console.log(ev.type, ev.bubbles, ev.defaultPrevented, typeof ev.timeStamp);
bus.addEventListener("stop", (e) => { e.stopImmediatePropagation(); console.log("only me"); }); bus.addEventListener("stop", () => console.log("never")); bus.dispatchEvent(new Event("stop"));
console.log(ac.signal.aborted, ac, new AbortController().signal);
