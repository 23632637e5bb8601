/**
 * Runs a few programs before the first guest's: V8 compiles functions when they are first
 * called, and the first guest should not wait for it.
 *
 * @module
 */
import type { Engine, RunLimits } from "../engine.ts";

const LIMITS: RunLimits = {
  fuel: 2_000_000_000,
  outputBytes: 4096,
  outputLines: 64,
  resultBytes: 4096,
  tracebackBytes: 4096,
  wallMs: 10_000,
};

const PROGRAMS = [
  `
import asyncio, collections, dataclasses, json, math, os, re
@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5
async def double(n):
    await asyncio.sleep(0.001)
    return n * 2
async def main():
    return await asyncio.gather(*(double(n) for n in range(3)))
words = collections.Counter(re.findall(r"[a-z]+", "the quick brown fox " * 40))
total = sum(i * i % 7 for i in range(2000))
text = f"{total:>10} {math.pi:.3f} {Point(1)!r}"
with open("warm.txt", "w") as file:
    file.write(json.dumps(words))
print(text, sorted(words.items(), key=lambda item: -item[1]))
asyncio.run(main())
`,
  `
class Account:
    def __init__(self, balance):
        self.balance = balance
    def withdraw(self, amount):
        if amount > self.balance:
            raise ValueError(f"insufficient funds: {amount}")
        self.balance -= amount
try:
    Account(10).withdraw(20)
except ValueError as error:
    print("caught", error)
[value for value in range(10) if value % 2][99]
`,
  `{"list": [1, 2.5, None, True], "text": "é", "nested": {"a": "b"}}`,
] as const;

/** Leaves the engine as it was, and its code compiled. */
export function warmUp(engine: Engine): void {
  for (const code of PROGRAMS) {
    engine.run({ code, env: new Map(), typescript: false, limits: LIMITS }, () => true);
    engine.reset();
  }
}
