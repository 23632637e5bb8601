/**
 * Programs that compute, in each language. They run metered and unmetered, and in native
 * interpreters.
 *
 * @module
 */

/** Name → source. The last expression is a check value. */
export const JAVASCRIPT_PROGRAMS: Readonly<Record<string, string>> = {
  "integer loop": "let s=0; for(let i=0;i<400000;i++){ s=(s+i*7)&0xffff } s",
  "floating point": "let x=0; for(let i=1;i<250000;i++){ x+=Math.sqrt(i)/(i+1) } x.toFixed(6)",
  "function calls": "function fib(n){return n<2?n:fib(n-1)+fib(n-2)} fib(21)",
  "objects": `const o=[]; for(let i=0;i<30000;i++) o.push({id:i,name:'n'+i,tags:[i,i+1]});
    o.filter(x=>x.id%3==0).map(x=>x.name.length).reduce((a,b)=>a+b,0)`,
  "strings": `let t=''; for(let i=0;i<20000;i++) t+=String.fromCharCode(97+i%26);
    let c=0; for(const w of t.split('e')) c+=w.toUpperCase().length; c`,
  "sort": `let r=1; const a=Array.from({length:20000},()=>r=(r*16807)%2147483647);
    a.sort((x,y)=>x-y)[777]`,
  "regular expressions": `const s='lorem ipsum 2024-05-17 dolor 1999-12-31 sit '.repeat(400);
    (s.match(/(\\d{4})-(\\d\\d)-(\\d\\d)/g)||[]).length + s.replace(/[aeiou]/g,'').length`,
  "maps and sets":
    `const m=new Map(); for(let i=0;i<40000;i++) m.set('k'+i%997,(m.get('k'+i%997)||0)+i);
    [...m.values()].reduce((a,b)=>a+b,0)`,
  "json": `const d=Array.from({length:1500},(_,i)=>({i,a:[i,i*2],s:'x'+i}));
    let n=0; for(let k=0;k<6;k++) n+=JSON.stringify(JSON.parse(JSON.stringify(d))).length; n`,
  "typed arrays":
    `const f=new Float64Array(60000); for(let k=0;k<4;k++) for(let i=0;i<f.length;i++) f[i]+=i*k;
    f.reduce((a,b)=>a+b,0)`,
  "big integers": "let b=1n; for(let i=1n;i<900n;i++) b*=i; b.toString().length",
  "generators":
    `function* g(n){ for(let i=0;i<n;i++) yield i } let z=0; for(const v of g(60000)) z+=v; z`,
};

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

/** Name → source. The last expression is a check value. */
export const PERL_PROGRAMS: Readonly<Record<string, string>> = {
  "integer loop": "my $s = 0; for my $i (0 .. 400_000) { $s = ($s + $i * 7) & 0xffff } $s",
  "floating point":
    "my $x = 0; for my $i (1 .. 200_000) { $x += sqrt($i) / ($i + 1) } sprintf '%.6f', $x",
  "function calls": "sub fib { my $n = shift; $n < 2 ? $n : fib($n - 1) + fib($n - 2) } fib(20)",
  "objects": `package Point { sub new { my ($class, %of) = @_; bless {%of}, $class }
      sub x { $_[0]{x} } sub moved { Point->new(x => $_[0]->x + 1, y => $_[0]{y}) } }
    my $p = Point->new(x => 0, y => 2); $p = $p->moved for 1 .. 30_000; $p->x`,
  "strings": `my $t = ''; $t .= chr(97 + $_ % 26) for 1 .. 100_000; my $c = 0;
    $c += length uc for split /e/, $t; $c . reverse substr $t, 0, 9`,
  "hashes": `my %m; $m{'k' . $_ % 997} += $_ for 1 .. 120_000;
    my $s = 0; $s += $m{$_} * length for sort keys %m; $s`,
  "sort": `my $r = 1; my @a = map { $r = $r * 16807 % 2147483647 } 1 .. 40_000;
    my @s = sort { $a <=> $b } @a; my @t = sort map { "n$_" } @a; $s[777] . $t[777]`,
  "sieve": `my $n = 200_000; my @p = (1) x ($n + 1); my $c = 0;
    for my $i (2 .. $n) { next unless $p[$i]; $c++;
      for (my $j = $i * $i; $j <= $n; $j += $i) { $p[$j] = 0 } } $c`,
  "regular expressions": `my $s = 'lorem ipsum 2024-05-17 dolor 1999-12-31 sit ' x 2_000;
    my $n = () = $s =~ /(\\d{4})-(\\d\\d)-(\\d\\d)/g; (my $v = $s) =~ s/[aeiou]//g;
    my %w; $w{$1}++ while $s =~ /\\b(\\w+)\\b/g; $n + length($v) + keys %w`,
  "matrix product": `my $n = 45; my @a = map { my $i = $_; [map { $i + $_ } 1 .. $n] } 1 .. $n;
    my @c; for my $i (0 .. $n - 1) { for my $j (0 .. $n - 1) { my $s = 0;
      $s += $a[$i][$_] * $a[$_][$j] for 0 .. $n - 1; $c[$i][$j] = $s } } $c[7][9]`,
};

/** Name → source. The last expression is a check value, a text. */
export const RUBY_PROGRAMS: Readonly<Record<string, string>> = {
  "integer loop": "s = 0; i = 0; while i < 600_000; s = (s + i * 7) & 0xffff; i += 1; end; s.to_s",
  "floating point":
    "x = 0.0; 1.upto(300_000) { |i| x += Math.sqrt(i) / (i + 1) }; format('%.6f', x)",
  "function calls": "def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)\nfib(22).to_s",
  "objects": `Point = Struct.new(:x, :y) { def moved = Point.new(x + 1, y) }
    p = Point.new(0, 2); 60_000.times { p = p.moved }; p.x.to_s`,
  "strings": `t = +''; 100_000.times { |i| t << (97 + i % 26).chr }
    t.split('e').sum { |w| w.upcase.length }.to_s`,
  "hashes": `m = Hash.new(0); 100_000.times { |i| m["k#{i % 997}"] += i }
    m.sort.sum { |k, v| v * k.length }.to_s`,
  "sort": `r = 1; a = Array.new(40_000) { r = r * 16807 % 2147483647 }
    "#{a.sort[777]} #{a.sort_by { |x| -x }[777]} #{a.map(&:to_s).sort[777]}"`,
  "sieve": `n = 200_000; p = Array.new(n + 1, true); c = 0
    (2..n).each { |i| next unless p[i]; c += 1; (i * i).step(n, i) { |j| p[j] = false } }; c.to_s`,
  "regular expressions": `s = 'lorem ipsum 2024-05-17 dolor 1999-12-31 sit ' * 1_000
    (s.scan(/(\\d{4})-(\\d\\d)-(\\d\\d)/).length + s.gsub(/[aeiou]/, '').length).to_s`,
  "large integers": "b = 1; 1.upto(1_500) { |i| b *= i }; b.to_s.length.to_s",
  "blocks": `(1..60_000).lazy.map { |x| x * 2 }.select { |x| x % 3 == 0 }.sum.to_s +
    (1..60_000).each_slice(7).map(&:sum).max.to_s`,
};

/** Numbers in no order, most of them too large for an immediate value on 32 bits. */
const NUMBERS = "r = 1; a = Array.new(30_000) { r = r * 16807 % 2147483647 }\n";

/** Name → source. The last expression is a check value, a text. */
export const RUBY_KINDS: Readonly<Record<string, string>> = {
  "sort small numbers":
    "a = Array.new(30_000) { |i| i * 7_919 % 30_011 }; 10.times { a.sort }; a.sort[777].to_s",
  "sort large numbers": `${NUMBERS}10.times { a.sort }; a.sort[777].to_s`,
  "sort floats": `${NUMBERS}f = a.map { |x| x / 7.0 }; 5.times { f.sort }; f.sort[777].to_s`,
  "sort strings": `${NUMBERS}s = a.map(&:to_s); 3.times { s.sort }; s.sort[777]`,
  "sort arrays": `${NUMBERS}s = a.first(6_000).map { |x| [x % 7, x] }; s.sort[777].inspect`,
  "sort with a block": `${NUMBERS}a.first(15_000).sort { |x, y| y <=> x }[777].to_s`,
  "sort by": `${NUMBERS}3.times { a.sort_by { |x| -x } }; a.sort_by { |x| -x }[777].to_s`,
  "least and most": `${NUMBERS}3.times { a.min_by { |x| -x }; a.max_by { |x| x % 997 } }
    [a.min_by { |x| x % 997 }, a.max, a.minmax.sum, a.min(5).sum].inspect`,
  "raise and rescue": `n = 0
    10_000.times { |i| begin; raise ArgumentError, "no" if i.odd?; n += 1; rescue => e; n += 2; end }
    n.to_s`,
  "rescue without an exception": `n = 0
    100_000.times { |i| begin; n += i; rescue; n = 0; end }; n.to_s`,
  "rescue of errors in C": `n = 0
    5_000.times { |i| begin; Integer("x"); rescue ArgumentError; n += 1; end }
    5_000.times { |i| n += Integer("x") rescue 1 }; n.to_s`,
  "ensure": `n = 0
    f = ->(i) { begin; return i; ensure; n += 1; end }
    20_000.times { |i| f.(i) }
    5_000.times { |i| begin; begin; raise "x"; ensure; n += 1; end; rescue; n += 1; end }; n.to_s`,
  "deep rescue": `def f(n) = n == 0 ? raise("deep") : f(n - 1)
    n = 0; 2_000.times { begin; f(50); rescue; n += 1; end }; n.to_s`,
  "rescue through blocks": `def g(n, &b) = n == 0 ? b.call : [1].each { g(n - 1, &b) }
    n = 0; 500.times { begin; g(10) { raise "x" }; rescue; n += 1; end }; n.to_s`,
  "catch and throw": `n = 0
    8_000.times { |i| n += catch(:done) { throw :done, i if i.odd?; 1 } }; n.to_s`,
  "break and next": `n = 0
    20_000.times { |i| n += [1, 2, 3].each { |x| break x if x == 2 } }
    20_000.times { |i| n += (1..9).find { |x| x == 3 } }; n.to_s`,
  "text": `t = +''; 30_000.times { |i| t << "word#{i % 97} " }
    t.split.map(&:capitalize).tally.sum { |k, v| k.size * v }.to_s + t.gsub(/o(.)/) { $1.upcase }.size.to_s`,
  "json": `require "json"
    v = Array.new(600) { |i| { "id" => i, "name" => "n#{i}", "tags" => %w[a b c], "x" => i / 3.0 } }
    t = JSON.generate(v); 3.times { JSON.parse(t) }; JSON.pretty_generate(JSON.parse(t)).size.to_s`,
  "method calls": `class Counter; def initialize = @n = 0; def add(x) = @n += x; attr_reader :n; end
    c = Counter.new; 200_000.times { |i| c.add(i) }; c.n.to_s`,
  "send and missing methods":
    `class Any; def method_missing(n, *a) = a.size; def respond_to_missing?(*) = true; end
    o = Any.new; n = 0; 15_000.times { n += o.foo(1, 2) + o.send(:bar, 1) }; n.to_s`,
};
