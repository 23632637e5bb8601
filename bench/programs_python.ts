/**
 * CPU-bound Python programs: each runs for some tens of milliseconds in a different part of the
 * engine.
 *
 * @module
 */

/** Name → source. The last line is a check value. */
export const PYTHON_PROGRAMS: Readonly<Record<string, string>> = {
  "integer loop": `
total = 0
for i in range(300000):
    total = (total + i * 7) & 0xffff
total`,
  "floating point": `
import math
x = 0.0
for i in range(1, 200000):
    x += math.sqrt(i) / (i + 1)
round(x, 6)`,
  "function calls": `
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)
fib(21)`,
  "objects": `
class Item:
    def __init__(self, number):
        self.number = number
        self.name = f"n{number}"
    def weight(self):
        return self.number % 7 + len(self.name)
sum(item.weight() for item in [Item(n) for n in range(25000)] if item.number % 3 == 0)`,
  "strings": `
text = "".join(chr(97 + i % 26) for i in range(40000))
sum(len(word.upper()) for word in text.split("e")) + text.count("abc")`,
  "dicts": `
counts = {}
for i in range(120000):
    key = f"k{i % 997}"
    counts[key] = counts.get(key, 0) + i
sum(counts.values())`,
  "lists and sorting": `
seed, values = 1, []
for _ in range(40000):
    seed = seed * 16807 % 2147483647
    values.append(seed)
sorted(values, key=lambda v: v % 1000)[777]`,
  "sieve": `
n = 300000
flags = bytearray([1]) * n
for i in range(2, int(n ** 0.5) + 1):
    if flags[i]:
        flags[i * i::i] = bytes(len(range(i * i, n, i)))
sum(flags)`,
  "regular expressions": `
import re
text = "lorem ipsum 2024-05-17 dolor 1999-12-31 sit " * 1500
len(re.findall(r"(\\d{4})-(\\d\\d)-(\\d\\d)", text)) + len(re.sub(r"[aeiou]", "", text))`,
  "json": `
import json
data = [{"i": i, "a": [i, i * 2], "s": f"x{i}"} for i in range(4000)]
len(json.dumps(json.loads(json.dumps(json.loads(json.dumps(data))))))`,
  "large integers": `
product = 1
for i in range(1, 2000):
    product *= i
len(str(product % 10 ** 3000)) + product.bit_length()`,
  "generators": `
def numbers(n):
    for i in range(n):
        yield i
sum(a * b for a, b in zip(numbers(80000), numbers(80000)))`,
  "n-queens": `
def queens(n, row=0, columns=0, left=0, right=0):
    if row == n:
        return 1
    count = 0
    free = ~(columns | left | right) & ((1 << n) - 1)
    while free:
        bit = free & -free
        free ^= bit
        count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1)
    return count
queens(8)`,
  "matrix product": `
n = 60
a = [[i * j % 10 for j in range(n)] for i in range(n)]
b = list(zip(*a))
sum(sum(x * y for x, y in zip(row, column)) for row in a for column in b)`,
};
