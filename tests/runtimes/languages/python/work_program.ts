/** A program that does a bit of everything but ask for time and randomness. */
/** The program. */
export const WORK = `
import collections, json, re
d = {f"k{i}": [i, str(i)] for i in range(500)}
text = json.dumps(d, sort_keys=True)
words = collections.Counter(re.findall(r"[a-z0-9]+", text))
class P:
    def __init__(self, x): self.x = x
    def __lt__(self, other): return self.x < other.x
ordered = sorted(P(i * 7919 % 503) for i in range(300))
try:
    ordered[999]
except IndexError as error:
    caught = str(error)
chain = None
for _ in range(5000): chain = [chain]
del chain
with open("out.txt", "w") as file: file.write(text)
print(len(text), words.most_common(3), ordered[0].x, caught, {str, int, P} and hash("text"))
`;
