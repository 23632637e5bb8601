const machine = {
  initial: "idle",
  states: {
    idle: { on: { FETCH: "loading" } },
    loading: { on: { RESOLVE: "success", REJECT: { target: "failure", action: (ctx, e) => ({ ...ctx, error: e.error, tries: ctx.tries + 1 }) } } },
    failure: { on: { RETRY: { target: "loading", guard: (ctx) => ctx.tries < 3 } } },
    success: { type: "final" },
  },
};
function createActor({ initial, states }, context) {
  let state = initial;
  const listeners = new Set(), history = [];
  return Object.freeze({
    get state() { return state; },
    get context() { return context; },
    history,
    subscribe(fn) { listeners.add(fn); return () => listeners.delete(fn); },
    send(event) {
      const e = typeof event === "string" ? { type: event } : event;
      const t = states[state].on?.[e.type];
      if (!t) { history.push(`${e.type} ignored in ${state}`); return this; }
      const { target, guard, action } = typeof t === "string" ? { target: t } : t;
      if (guard && !guard(context, e)) { history.push(`${e.type} blocked`); return this; }
      context = action?.(context, e) ?? context;
      history.push(`${state} --${e.type}--> ${target}`);
      state = target;
      listeners.forEach((l) => l(state, context));
      return this;
    },
  });
}
const actor = createActor(machine, { tries: 0 });
const stop = actor.subscribe((s, c) => console.log("now", s, c));
actor.send("RESOLVE").send("FETCH").send({ type: "REJECT", error: "503" }).send("RETRY").send({ type: "REJECT", error: "504" });
stop();
actor.send("RETRY").send({ type: "REJECT", error: new Error("final").message }).send("RETRY");
console.log(actor.state, actor.context);
console.log(actor.history);
console.log(actor, Object.isFrozen(actor), machine);
const light = (function* () { while (true) { yield "green"; yield "yellow"; yield "red"; } })();
console.log(Array.from({ length: 5 }, () => light.next().value));
"use strict";
try { (() => { "use strict"; actor.state = "x"; })(); } catch (e) { console.log(e.name, e.message); }
try { (() => { "use strict"; actor.history2 = 1; })(); } catch (e) { console.log(e.name, e.message); }
try { (() => { "use strict"; delete actor.send; })(); } catch (e) { console.log(e.name, e.message); }
