// What the console shows of an emitter with several listeners of one event.
const EventEmitter = require("events");
class Bus extends EventEmitter {
  name = "bus";
}
const bus = new Bus();
const named = () => {};
bus.on("a", named);
console.log(bus);
bus.on("a", function second() {}).once("a", () => {});
console.log(bus);
bus.prependListener("a", named);
bus.emit("a");
console.log(bus, bus.listeners("a"));
bus.off("a", named).off("a", named);
console.log(bus.eventNames(), bus._events);
