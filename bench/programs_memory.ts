/**
 * Programs that use up their fuel by random access to more memory than a processor's cache holds:
 * look-ups in large hash tables, and walks of objects in random order.
 *
 * @module
 */
import type { BundledLanguage as Language } from "../shared/languages.ts";

const JS_SHUFFLE = `let seed = 1;
const random = (n) => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) % n;
const shuffle = (a) => {
  for (let i = a.length - 1; i > 0; i--) { const j = random(i + 1); [a[i], a[j]] = [a[j], a[i]]; }
  return a;
};
`;
const PYTHON_SHUFFLE = `import collections, functools, operator, random
random.seed(1)
run = collections.deque(maxlen=0).extend
`;
const PYTHON_TEXTS = `${PYTHON_SHUFFLE}d = {str(i): i for i in range(1 << 19)}
k = list(d)
random.shuffle(k)
`;
const PERL_SHUFFLE = `sub shuffle { my $x = shift;
for my $i (reverse 1 .. $#$x) { my $j = int(rand($i + 1)); @$x[$i, $j] = @$x[$j, $i] } }
`;
const PERL_HASH = `${PERL_SHUFFLE}my %h = map { $_ * 7919 => $_ } 1 .. 200_000;
my @k = keys %h; shuffle(\\@k);
`;
const RUBY_SHUFFLED = `x = Array.new(400_000) { |i| i * 7919 }.shuffle(random: Random.new(1))
y = x.shuffle(random: Random.new(2))
`;

const JAVASCRIPT = {
  "look-ups, Map": JS_SHUFFLE +
    "const m = new Map(); for (let i = 0; i < 3e5; i++) m.set(i * 7919, i); const k = shuffle([...m.keys()]), f = m.get.bind(m); for (;;) k.forEach(f);",
  "look-ups, Set of strings": JS_SHUFFLE +
    "const k = shuffle(Array.from({ length: 2e5 }, (_, i) => 'x' + i)), s = new Set(k); shuffle(k); for (;;) k.every(s.has, s);",
  "look-ups, object": JS_SHUFFLE +
    "const o = {}, k = shuffle(Array.from({ length: 2e5 }, (_, i) => 'x' + i)); for (const x of k) o[x] = 1; shuffle(k); for (;;) for (const x of k) o[x];",
  "look-ups, WeakMap": JS_SHUFFLE +
    "const k = shuffle(Array.from({ length: 1e5 }, () => ({}))), m = new WeakMap(k.map((x) => [x, 1])); shuffle(k); for (;;) k.every(m.has, m);",
  "look-ups, Symbol.for": JS_SHUFFLE +
    "const k = shuffle(Array.from({ length: 1e5 }, (_, i) => 'x' + i)); for (const x of k) Symbol.for(x); shuffle(k); for (;;) k.every(Symbol.for);",
  "walk, linked list": JS_SHUFFLE +
    "const a = shuffle(Array.from({ length: 3 << 17 }, () => ({}))); a.forEach((x, i) => x.n = a[(i + 1) % a.length]); let x = a[0]; for (;;) x = x.n;",
  "walk, spread": JS_SHUFFLE +
    "const a = shuffle(Array.from({ length: 3 << 17 }, () => ({}))); for (;;) [...a];",
  "walk, join": JS_SHUFFLE +
    "const a = shuffle(Array.from({ length: 3 << 17 }, (_, i) => 'x' + i)); for (;;) a.join('');",
};

const PYTHON = {
  "look-ups, set without common elements":
    "a = set(range(0, 1 << 23, 8))\nb = set(i * i * 8 + 1 for i in range(1 << 19))\nwhile True: a.isdisjoint(b)",
  "look-ups, set copy": "b = set(i * i for i in range(1 << 20))\nwhile True: b.copy()",
  "look-ups, dict of texts": `${PYTHON_TEXTS}g = operator.itemgetter(*k)\nwhile True: g(d)`,
  "look-ups, dict of tuples":
    `${PYTHON_SHUFFLE}d = {(i, i): i for i in range(1 << 18)}\nk = list(d)\nrandom.shuffle(k)\nwhile True: run(map(d.get, k))`,
  "look-ups, lru_cache":
    `${PYTHON_SHUFFLE}f = functools.lru_cache(None)(abs)\nk = list(range(1 << 19))\nrun(map(f, k))\nrandom.shuffle(k)\nwhile True: run(map(f, k))`,
  "walk, list by index":
    `${PYTHON_SHUFFLE}x = [float(i) for i in range(1 << 20)]\nk = list(range(1 << 20))\nrandom.shuffle(k)\ng = operator.itemgetter(*k)\nwhile True: g(x)`,
  "walk, join":
    `${PYTHON_SHUFFLE}x = [str(i) for i in range(1 << 20)]\nrandom.shuffle(x)\nwhile True: ''.join(x)`,
  "walk, any":
    `${PYTHON_SHUFFLE}x = [[] for i in range(1 << 20)]\nrandom.shuffle(x)\nwhile True: any(x)`,
  "walk, garbage":
    `import gc\n${PYTHON_SHUFFLE}x = [[] for _ in range(1 << 20)]\nrandom.shuffle(x)\ny = [[i] for i in x]\nwhile True: gc.collect()`,
  "walk, bytes in steps": "x = bytes(128 << 20)\nwhile True: x[::4096]",
};

const PERL = {
  "look-ups, slice": `${PERL_HASH}while (1) { my @v = @h{@k} }`,
  "look-ups, exists": `${PERL_HASH}while (1) { exists $h{$_} for @k }`,
  "look-ups, delete": `${PERL_HASH}while (1) { delete @h{@k}; @h{@k} = () }`,
  "look-ups, symbols":
    `${PERL_SHUFFLE}no strict 'refs'; my @k = map { "x$_" } 1 .. 60_000; \${$_} = 1 for @k; shuffle(\\@k); while (1) { \${$_}++ for @k }`,
  "walk, linked list":
    `${PERL_SHUFFLE}my @a = map { [] } 1 .. 300_000; shuffle(\\@a); $a[$_][0] = $a[($_ + 1) % @a] for 0 .. $#a; my $x = $a[0]; while (1) { $x = $x->[0] }`,
  "walk, array of references":
    `${PERL_SHUFFLE}my @a = map { [] } 1 .. 400_000; shuffle(\\@a); while (1) { my @b = @a }`,
};

const RUBY = {
  "look-ups, values_at":
    "h = {}\n400_000.times { |i| h[i * 7919] = i }\nk = h.keys.shuffle(random: Random.new(1)).first(100_000)\nloop { h.values_at(*k) }",
  "look-ups, uniq": `${RUBY_SHUFFLED}loop { x.uniq }`,
  "look-ups, &": `${RUBY_SHUFFLED}loop { x & y }`,
  "look-ups, -": `${RUBY_SHUFFLED}loop { x - y }`,
  "look-ups, Set": `${RUBY_SHUFFLED}a = Set.new(x)\nb = Set.new(y)\nloop { a.subset?(b) }`,
  "look-ups, Hash ==":
    `${RUBY_SHUFFLED}h = x.to_h { |i| [i, i] }\ng = y.to_h { |i| [i, i] }\nloop { h == g }`,
  "walk, linked list":
    "x = Array.new(600_000) { [] }.shuffle(random: Random.new(1))\nx.each_with_index { |a, i| a[0] = x[(i + 1) % x.size] }\nn = x[0]\nwhile true\n  n = n[0]\nend",
  "walk, sum":
    "x = Array.new(600_000) { |i| (i + 1) * 1e300 }.shuffle(random: Random.new(1))\nloop { x.sum }",
  "walk, max":
    "x = Array.new(600_000) { |i| i.to_s }.shuffle(random: Random.new(1))\nloop { x.max }",
  "walk, join":
    "x = Array.new(600_000) { |i| i.to_s }.shuffle(random: Random.new(1))\nloop { x.join }",
};

/** Programs by language and name. */
export const MEMORY_PROGRAMS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  javascript: JAVASCRIPT,
  python: PYTHON,
  perl: PERL,
  ruby: RUBY,
};
