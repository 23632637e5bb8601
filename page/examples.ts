/**
 * Programs that show what is special here.
 *
 * @module
 */
import type { Language, LanguageListing } from "@belljar/client";
import { button, el } from "./dom.ts";
import { ask } from "./dialogs.ts";
import type { RunFields } from "./run_request.ts";

/** A program to begin with. */
export interface Example {
  readonly title: string;
  readonly text: string;
  readonly language: Language;
  readonly code: string;
  readonly stdin?: string;
  readonly limits?: Partial<RunFields>;
  /** The package that it needs. */
  readonly needs?: string;
  /** Only where memory is kept between runs. */
  readonly inContext?: boolean;
}

const FIRST: { readonly [L in Language]: string } = {
  javascript: `// JavaScript or TypeScript. The value of the last line is the result.
const primes: number[] = [];
for (let n = 2; primes.length < 12; n++) {
  if (primes.every((prime) => n % prime)) primes.push(n);
}
console.log("The first", primes.length, "primes");
primes;
`,
  python: `# The value of the last line is the result.
def fibonacci(count):
    a, b = 0, 1
    for _ in range(count):
        yield a
        a, b = b, a + b

print("Fibonacci numbers")
list(fibonacci(12))
`,
  perl: `# The value of the last line is the result.
my %count;
$count{lc $_}++ for "the bell jar holds the guest" =~ /\\w+/g;
printf "%-6s %d\\n", $_, $count{$_} for sort keys %count;
scalar keys %count;
`,
  ruby: `# The value of the last line is the result.
squares = (1..8).map { |n| n * n }
puts "Squares up to #{squares.last}"
squares.each_slice(2).to_h
`,
  shell: `# Commands on the files of the sandbox.
printf '%s\\n' pear apple fig apple > fruits.txt
sort fruits.txt | uniq -c | sort -rn
ls -l
`,
};

const EXAMPLES: readonly Example[] = [
  {
    title: "A limit that nothing catches",
    text: "The program catches everything, and still ends when its fuel is used up.",
    language: "python",
    code: `while True:
    try:
        while True:
            pass
    except BaseException as caught:
        print("never printed:", caught)
`,
    limits: { fuel: "200000000" },
  },
  {
    title: "A figure",
    text: "An object that shows itself as SVG.",
    language: "python",
    code: `import math

class Wave:
    def __init__(self, *parts):
        self.parts = parts

    def _repr_svg_(self):
        xs = range(0, 601, 3)
        y = lambda x: 110 - sum(a * math.sin(f * x / 48) for f, a in self.parts)
        points = " ".join(f"{x},{y(x):.1f}" for x in xs)
        return f'''<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 220" width="600" height="220">
  <line x1="0" y1="110" x2="600" y2="110" stroke="#c7ccd6"/>
  <polyline points="{points}" fill="none" stroke="#3451b2" stroke-width="3"/>
</svg>'''

print("Three sines, added up")
Wave((1, 50), (3, 22), (7, 10))
`,
  },
  {
    title: "A table",
    text: "HTML of a guest, in a frame without script and without requests.",
    language: "javascript",
    code: `const planets = [
  ["Mercury", 0.39, 88], ["Venus", 0.72, 225], ["Earth", 1, 365], ["Mars", 1.52, 687],
];
display({
  [Symbol.for("Jupyter.display")]: () => ({
    "text/html": \`<table><tr><th>Planet</th><th>Distance (AU)</th><th>Year (days)</th></tr>\${
      planets.map((row) => \`<tr>\${row.map((cell) => \`<td>\${cell}</td>\`).join("")}</tr>\`).join("")
    }</table>\`,
  }),
});
`,
  },
  {
    title: "An error at its line",
    text: "The editor shows where it happened.",
    language: "javascript",
    code: `interface Guest { name: string; cups?: number[] }

const total = (guest: Guest) => guest.cups!.reduce((sum, cup) => sum + cup);

console.log(total({ name: "Ada", cups: [2, 3] }));
console.log(total({ name: "Grace" }));
`,
  },
  {
    title: "Standard input",
    text: "Counts the words of what it is given.",
    language: "perl",
    code: `my %count;
while (my $line = <STDIN>) {
  $count{lc $1}++ while $line =~ /(\\w+)/g;
}
my @most = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
printf "%3d  %s\\n", $count{$_}, $_ for @most;
`,
    stdin: "to be or not to be\nthat is the question\n",
  },
  {
    title: "The same run twice",
    text: "With seed and clock, a run gives the same bytes every time, and costs the same fuel.",
    language: "python",
    code: `import random, time, uuid

print(uuid.uuid4())
print(time.strftime("%Y-%m-%d %H:%M:%S", time.gmtime()))
[random.randint(1, 6) for _ in range(10)]
`,
    limits: { seed: "42", clock: "2026-01-01T00:00:00Z" },
  },
  {
    title: "A program in Ruby",
    text: "Pattern matching and a lazy enumerator.",
    language: "ruby",
    code: `events = [{ kind: "run", fuel: 1200 }, { kind: "stop" }, { kind: "run", fuel: 88 }]
events.each do |event|
  case event
  in { kind: "run", fuel: } if fuel > 1000 then puts "a long run: #{fuel}"
  in { kind: "run", fuel: } then puts "a short run: #{fuel}"
  in { kind: } then puts kind
  end
end
(1..).lazy.select { |n| n % 7 == 3 }.first(5)
`,
  },
  {
    title: "Memory that survives a kill",
    text:
      "Run it, kill the service with kill -9, start it again, run it again: it goes on counting.",
    language: "python",
    code: `try:
    visits += 1
except NameError:
    visits = 1

print(f"Run {visits} of this context")
`,
    inContext: true,
  },
  {
    title: "One state, several ways",
    text: "Run it, press Fork, and go on differently in each context. Keep and Restore go back.",
    language: "python",
    code: `# Run this, then press Fork: the other context has the same deck.
# Keep, at the side, remembers the whole sandbox. Its name restores it.
import random

try:
    deck.append(deck.pop(0))
except NameError:
    deck = random.sample(range(100), 8)

deck
`,
    inContext: true,
  },
  {
    title: "Files between languages",
    text: "Writes a file into the sandbox, where all its contexts and you can read it.",
    language: "javascript",
    code: `import { readdirSync, writeFileSync } from "node:fs";

writeFileSync("squares.csv", Array.from({ length: 10 }, (_, n) => \`\${n},\${n * n}\`).join("\\n"));
readdirSync(".");
`,
    inContext: true,
  },
  {
    title: "Calls that you answer",
    text: "Calls a function and waits: in a sandbox for days, and in any browser.",
    language: "python",
    code: `def release(version):
    decision = tools.approve(version=version, changes=["faster", "smaller"])
    return f"{version} goes out, says {decision['by']}"

try:
    print(release("2.0"))
except ToolDenied as denied:
    print("not released:", denied)
`,
    limits: { tools: "approve" },
  },
  {
    title: "NumPy",
    text: "Native code of a package, metered like all other.",
    language: "python",
    needs: "numpy",
    code: `import numpy as np

rng = np.random.default_rng(7)
a = rng.normal(size=(120, 120))
values = np.linalg.eigvals(a @ a.T).real
print(f"largest {values.max():.3f}, smallest {values.min():.6f}")
np.histogram(values, bins=5)[0].tolist()
`,
  },
];

/** The program that a language begins with. */
export function firstProgram(language: Language): string {
  return FIRST[language];
}

/** Whether a program is one that was not touched. */
export function isFirstProgram(code: string): boolean {
  return code.trim() === "" || Object.values(FIRST).includes(code);
}

/** Lets the reader choose an example; undefined when they do not. */
export async function chooseExample(
  languages: readonly LanguageListing[],
  inContext: boolean,
): Promise<Example | undefined> {
  let chosen: Example | undefined;
  const items = EXAMPLES.filter((example) => isPossible(example, languages, inContext));
  const list = el(
    "ul",
    { class: "examples" },
    ...items.map((example) => {
      const name = languages.find(({ id }) => id === example.language)?.name ?? example.language;
      const choice = button(el("strong", {}, example.title), () => {
        chosen = example;
        choice.closest("dialog")?.close();
      }, { class: "example" });
      choice.append(
        el("span", { class: "tag" }, name),
        el("span", { class: "example-text" }, example.text),
      );
      return el("li", {}, choice);
    }),
  );
  await ask(
    "Examples",
    list,
    el(
      "div",
      { class: "actions" },
      el("button", { type: "submit", value: "", class: "quiet" }, "Close"),
    ),
  );
  return chosen;
}

function isPossible(
  { language, needs, inContext = false }: Example,
  languages: readonly LanguageListing[],
  hasContext: boolean,
): boolean {
  const listing = languages.find(({ id }) => id === language);
  if (listing === undefined || (inContext && !hasContext)) return false;
  return needs === undefined || listing.packages?.some(({ name }) => name === needs) === true;
}
