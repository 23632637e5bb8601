class Shape {
  static #count = 0;
  static create(type, ...args) {
    const types = { circle: Circle, rect: Rectangle };
    if (!types[type]) throw new RangeError(`Unknown shape: ${type}`);
    return new types[type](...args);
  }
  static get count() { return Shape.#count; }
  constructor(name) {
    this.name = name;
    Shape.#count++;
  }
  area() { throw new Error("not implemented"); }
  toString() { return `${this.name} with area ${this.area().toFixed(2)}`; }
}
class Circle extends Shape {
  #radius;
  constructor(radius) { super("Circle"); this.#radius = radius; }
  get radius() { return this.#radius; }
  set radius(r) { if (r <= 0) throw new RangeError("radius must be positive"); this.#radius = r; }
  area() { return Math.PI * this.#radius ** 2; }
}
class Rectangle extends Shape {
  constructor(w, h) { super("Rectangle"); Object.assign(this, { w, h }); }
  area() { return this.w * this.h; }
  get [Symbol.toStringTag]() { return "Rect"; }
}
const shapes = [Shape.create("circle", 2), Shape.create("rect", 3, 4)];
shapes.forEach((s) => console.log(`${s}`));
console.log(shapes);
console.log(Shape.count, Circle.name, Circle.length, shapes[0] instanceof Shape, Object.prototype.toString.call(shapes[1]));
shapes[0].radius = 1;
console.log(shapes[0].radius, Object.keys(shapes[0]), "radius" in shapes[0]);
for (const attempt of [() => (shapes[0].radius = -1), () => Shape.create("hexagon"), () => new Shape("x").area(), () => Circle(1)]) {
  try { attempt(); } catch (e) { console.log(e.constructor.name, e.message); }
}
console.log(Shape, [Circle, Rectangle], class {}, class extends Circle {});
console.log(Object.getOwnPropertyNames(Circle.prototype), Circle.prototype, Rectangle.prototype);
