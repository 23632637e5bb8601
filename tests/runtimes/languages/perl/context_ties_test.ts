/** Ties of variables that later runs of the context start with. */
import { assertEquals } from "@std/assert";
import { next, perl, told } from "./perl.ts";

const CLASSES = `
require Tie::Hash; require Tie::Array;
package T; our @ISA = 'Tie::StdHash'; sub UNTIE { die } sub FETCH { die }
package A; our @ISA = 'Tie::StdArray'; sub UNTIE { die }
package H; sub TIEHANDLE { bless [] } sub PRINT { 1 } sub UNTIE { die }
package main;
`;

Deno.test("perl context ties: ties end with their run, for any class", async () => {
  const engine = await perl();
  for (const tie of ["%ENV, 'T'", "%SIG, 'T'", "%INC, 'T'", "@ARGV, 'A'", "*STDOUT, 'H'"]) {
    engine.reset();
    assertEquals([tie, told(next(engine, `${CLASSES} tie ${tie}; 1`))], [tie, "text 1"]);
    const after = "print 'seen'; $SIG{__WARN__} = sub { print @_ }; warn \"w\\n\"; scalar @ARGV";
    assertEquals([tie, told(next(engine, after))], [tie, "text 0 | seenw\n"]);
  }
});

Deno.test("perl context ties: a class that runs endlessly ends the run that tied", async () => {
  const engine = await perl();
  const code = "package H; sub TIEHANDLE { bless [] } sub UNTIE { 1 while 1 } package main;\n" +
    "tie *STDOUT, 'H'; 1";
  engine.reset();
  assertEquals(told(next(engine, code, { limits: { fuel: 50_000_000 } })), "limit fuel");
});
