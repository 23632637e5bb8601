abstract class Animal {
  private static count = 0;
  protected readonly sound: string = "...";
  declare legs: number;
  #secret = "hidden";
  constructor(public readonly name: string, protected age: number = 1) { Animal.count++; }
  abstract move(distance: number): string;
  speak(): string { return `${this.name} says ${this.sound}`; }
  static get total(): number { return Animal.count; }
  get secret(): string { return this.#secret; }
  toString(): string { return `${this.constructor.name}(${this.name}, ${this.age})`; }
}
interface Swimmer { swim(): string }
class Dog extends Animal implements Swimmer {
  protected override readonly sound = "woof";
  override move(distance: number): string { return `${this.name} runs ${distance}m`; }
  swim(): string { return `${this.name} paddles`; }
}
class Bird extends Animal {
  private wings?: number = 2;
  constructor(name: string, public canFly: boolean) { super(name, 3); }
  move(distance: number) { return this.canFly ? `flies ${distance}m` : `hops ${distance / 10}m`; }
  override toString() { return `${super.toString()} fly=${this.canFly}`; }
}
const zoo: Animal[] = [new Dog("Rex", 5), new Bird("Tweety", true), new Bird("Kiwi", false)];
for (const a of zoo) console.log(a.speak(), "|", a.move(50), "|", String(a));
console.log(zoo);
console.log(Animal.total, zoo[0] instanceof Dog, zoo[0]!.secret, Object.keys(zoo[1]!), "legs" in zoo[0]!);
type Constructor<T = object> = new (...args: never[]) => T;
const Timestamped = <B extends new (...args: ConstructorParameters<typeof Dog>) => Animal>(Base: B) => class extends Base { readonly stamp = 123; };
const Stamped = Timestamped(Dog);
const s = new Stamped("Fido", 2);
console.log(s.stamp, s.speak(), s instanceof Dog);
const make = <T extends object>(C: Constructor<T>): T => new C();
console.log(make(class Thing { x = 1; }));
class Counter { constructor(private n = 0, readonly step: number = 1) {} tick = (): number => (this.n += this.step); }
const { tick } = new Counter(10, 5);
console.log(tick(), tick());
abstract class Template { run(): string { return [this.before(), this.main(), this.after()].join(","); } protected before() { return "b"; } protected abstract main(): string; protected after() { return "a"; } }
console.log(new (class extends Template { protected main() { return "m"; } })().run());
