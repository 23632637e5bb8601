enum Direction { Up, Down, Left = 10, Right }
enum Color { Red = "RED", Green = "GREEN" }
const enum Flag { None = 0, Read = 1 << 0, Write = 1 << 1, All = Read | Write }
enum Mixed { A = 1, B = "b", C = A + 5, D = "len".length }

namespace Geometry {
  export const unit = 1;
  export interface Point { x: number; y: number }
  export function distance(a: Point, b: Point): number { return Math.hypot(a.x - b.x, a.y - b.y); }
  export namespace Shapes {
    export class Square { constructor(public side: number) {} area() { return this.side ** 2 * unit; } }
  }
}
namespace Geometry { export const extended = true; }

console.log(Direction.Up, Direction[0], Direction[11], Direction.Right, Object.keys(Direction));
console.log(Direction, Color, Mixed);
console.log(Flag.All, Flag.Read & Flag.All, Color.Red === "RED", typeof Direction);
console.log(Geometry.distance({ x: 0, y: 0 }, { x: 3, y: 4 }), new Geometry.Shapes.Square(3).area(), Geometry.extended);
console.log(Geometry);
function describe(d: Direction): string {
  switch (d) {
    case Direction.Up:
    case Direction.Down: return "vertical";
    case Direction.Left:
    case Direction.Right: return "horizontal";
    default: { const never: never = d; return never; }
  }
}
console.log(Object.values(Direction).filter((v): v is Direction => typeof v === "number").map(describe));
declare module "nowhere" { const x: number; }
declare const BUILD: string | undefined;
console.log(typeof BUILD);
