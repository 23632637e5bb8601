/**
 * Programs that run once in each process, so that V8 compiles the functions that most programs need
 * before the first guest's program needs them.
 *
 * @module
 */

/** The programs, run in order from the image. */
export const WARM_UP: readonly string[] = [
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
  // Native packages that the operator has put into the image; of others nothing is imported.
  `
import sys
if "numpy" in sys.modules:
    import numpy
    a = numpy.arange(12.0).reshape(3, 4)
    print(a @ a.T, a[a > 2].sum(), a.mean(axis=0), numpy.sort(a, axis=None)[:2], numpy.array([1, 2]) + 1)
if "pydantic" in sys.modules:
    import pydantic
    class Item(pydantic.BaseModel):
        name: str
        tags: list[str] = []
    print(Item.model_validate_json('{"name": "a", "tags": ["b"]}').model_dump_json())
    try:
        Item(name=1)
    except pydantic.ValidationError as error:
        print(error)
`,
  `{"list": [1, 2.5, None, True], "text": "é", "nested": {"a": "b"}}`,
];

const FRAME = `
import sys
if "pandas" in sys.modules:
    import pandas as pd
    frame = pd.DataFrame({"a": [1, 1, 2], "b": [3.0, 4.0, 5.0], "c": ["x", "y", "z"]})
    print(frame.groupby("a").b.sum().to_dict(), frame.describe(), frame.merge(frame, on="a").shape)
    frame
`;
const FIGURE = `
import sys
if "matplotlib.pyplot" in sys.modules:
    import matplotlib.pyplot as plt
    plt.plot([1, 3, 2], label="a")
    plt.title("a title")
    plt.legend()
    plt.show()
`;

/**
 * Programs for the second baseline. V8 compiles a function again when it is used often: after two
 * figures it has compiled most of those that draw.
 */
export const PRELOADED_WARM_UP: readonly string[] = [FRAME, FIGURE, FIGURE];
