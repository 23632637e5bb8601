/** Runs of contexts that read standard input one after the other, and what each gives. */
import type { ContextLanguage } from "./engine_bench.ts";

/** A run: its program, its standard input if it has one, and its value as shown. */
export type InputStep = readonly [code: string, stdin: string | undefined, shown: string];

/** Contexts, by what their runs do. */
export type InputSteps = Readonly<Record<string, readonly InputStep[]>>;

/** The contexts of each language. */
export const INPUT_STEPS: Readonly<Record<ContextLanguage, InputSteps>> = {
  python: {
    "half-read by line": [
      ["import sys\nsys.stdin.readline()", "a\nb\nc", "'a\\n'"],
      ["sys.stdin.read()", undefined, "''"],
      ["sys.stdin.readline()", "x\ny", "'x\\n'"],
      ["input()", undefined, "EOFError: EOF when reading a line"],
      ["input(), input()", "z\nw", "('z', 'w')"],
    ],
    "half-read by character, in the middle of one": [
      [
        "import sys\nsys.stdin.read(2), sys.stdin.buffer.read(0)",
        "é𝄞z" + "é".repeat(9000),
        "('é𝄞', b'')",
      ],
      ["sys.stdin.read()", undefined, "''"],
      ["sys.stdin.read(1), sys.stdin.buffer.peek()", "éa", "('é', b'')"],
    ],
    "the objects stay the same, an iterator too": [
      [
        "import sys\ns, b = sys.stdin, sys.stdin.buffer\nit = iter(s)\nnext(it)",
        "1\n2\n3",
        "'1\\n'",
      ],
      ["list(it), s is sys.stdin, b is s.buffer", "4\n5", "(['4\\n', '5'], True, True)"],
      ["list(it)", undefined, "[]"],
      [
        "s.name, s.mode, s.encoding, s.fileno(), s.isatty()",
        "x",
        "('<stdin>', 'r', 'utf-8', 0, False)",
      ],
    ],
    "half-read bytes": [
      ["import sys\nsys.stdin.buffer.read(1)", "abc", "b'a'"],
      ["sys.stdin.buffer.read()", undefined, "b''"],
      ["sys.stdin.buffer.peek()", "def", "b'def'"],
      ["sys.stdin.buffer.read()", "ghi", "b'ghi'"],
    ],
    "closed": [
      ["import sys\nsys.stdin.close()", "x", "none"],
      ["sys.stdin.read()", "y", "'y'"],
      ["sys.stdin.close()", undefined, "none"],
      ["input()", "z", "'z'"],
      ["import os\nos.close(0)", "x", "none"],
      ["input()", "y", "'y'"],
      ["b = sys.stdin.detach()\nb.read(1)", "xyz", "b'x'"],
      ["b.read(), sys.stdin.read()", "12", "(b'12', '')"],
    ],
    "a stream of the program's own over it": [
      [
        "import io, sys\nsys.stdin = io.TextIOWrapper(sys.stdin.buffer, encoding='latin-1')\nsys.stdin.read(1)",
        "é12",
        "'Ã'",
      ],
      ["sys.stdin.read(), sys.stdin.encoding", undefined, "('', 'latin-1')"],
      ["sys.stdin.read()", "é", "'Ã©'"],
      ["sys.stdin = sys.__stdin__\nsys.stdin.read()", "é", "'é'"],
      ["sys.stdin.read()", "é", "'é'"],
      ["sys.stdin = io.StringIO('mine')\nsys.stdin.read(2)", "given", "'mi'"],
      ["sys.stdin.read(), sys.__stdin__.read()", "given", "('given', '')"],
    ],
    "another encoding stays": [
      ["import sys\nsys.stdin.reconfigure(encoding='latin-1')", undefined, "none"],
      ["sys.stdin.read()", "é", "'Ã©'"],
    ],
    "runs that fail and exit": [
      ["import os, sys\nsys.stdin.read(1)\n1 / 0", "abc", "ZeroDivisionError: division by zero"],
      ["sys.stdin.read()", undefined, "''"],
      ["sys.stdin.read(1)\nos._exit(0)", "abc", "none"],
      ["sys.stdin.read()", undefined, "''"],
      ["sys.stdin.read(1)\nexit()", "abc", "none"],
      ["sys.stdin.read()", "d", "'d'"],
    ],
  },
  perl: {
    "half-read by line": [
      ["my $x = <STDIN>; $x", "a\nb\nc", "a\n"],
      ["join '|', <STDIN>", undefined, ""],
      ['my $y = <STDIN>; "$. $y"', "x\ny", "1 x\n"],
      ["defined <STDIN> ? 1 : 0", undefined, "0"],
      ["join '|', map { chomp; $_ } <STDIN>", "z\nw", "z|w"],
    ],
    "half-read by the diamond": [
      ["my $l = <>; $l", "1\n2\n3", "1\n"],
      ["scalar <>", "4\n5", "4\n"],
      ["defined(scalar <>) ? 1 : 0", undefined, "0"],
      ["join '|', map { chomp; $_ } <>", "6\n7", "6|7"],
      ["join '|', map { chomp; $_ } <>", "8\n9", "8|9"],
    ],
    "half-read by character": [
      ["getc", "ab", "a"],
      ["getc // 'end'", undefined, "end"],
      ["read STDIN, my $b, 2; $b", "cde", "cd"],
      ["my $n = read STDIN, my $c, 9; $n . $c", "f", "1f"],
    ],
    "the end": [
      ["eof(STDIN) ? 1 : 0", undefined, "1"],
      ["eof(STDIN) ? 1 : 0", "x", "0"],
      ["local $/; my $x = <STDIN>; my $y = <STDIN>; $x . (defined $y ? 1 : 0)", "all", "all0"],
      ['my @n; while (<STDIN>) { push @n, $. } "@n"', "1\n2", "1 2"],
    ],
    "layers stay": [
      ["binmode STDIN, ':encoding(UTF-8)'; 1", undefined, "1"],
      ["my $u = <STDIN>; length $u", "é𝄞", "2"],
      ["length scalar <STDIN>", "é\n" + "é".repeat(9000), "2"],
      [
        "length(scalar <STDIN>) . join ',', PerlIO::get_layers(STDIN)",
        "éa",
        "2unix,perlio,encoding(utf-8-strict),utf8",
      ],
    ],
    "closed, opened anew, tied, aliased": [
      ["close STDIN; 1", "x", "1"],
      ["scalar <STDIN>", "open", "open"],
      ["close STDIN; 1", undefined, "1"],
      ["scalar <STDIN>", "open", "open"],
      ["open STDIN, '<', \\\"mine\\n\"; scalar <STDIN>", "given", "mine\n"],
      ["scalar <STDIN>", "next", "next"],
      [
        "package T { sub TIEHANDLE { bless {} } sub READLINE { 'tied' } sub CLOSE { die } } tie *STDIN, 'T'; my $t = <STDIN>; $t",
        "x",
        "tied",
      ],
      ["scalar <STDIN>", "untied", "untied"],
      ["our $in; open $in, '<&', \\*STDIN; my $q = <$in>; $q", "a\nb", "a\n"],
      ["my $w = <$in>; $w // scalar <STDIN>", "c\nd", "c\n"],
      ["our $also; open $also, '<&=', 0; my $e = <$also>; $e", "a\nb", "a\n"],
      ["my $r = <$also>; $r // scalar <STDIN>", "c\nd", "c\n"],
      ["*STDIN = *DATA; 1", "x", "1"],
      ["scalar <STDIN>", "y", "y"],
    ],
    "runs that fail and exit": [
      ["my $d = <STDIN>; die 'x'", "a\nb", "Error: x at main.pl line 1, <STDIN> line 1."],
      ["join '|', <STDIN>", undefined, ""],
      ["exit 0 if <STDIN>", "a\nb", "none"],
      ["join '|', <STDIN>", "c", "c"],
    ],
  },
  ruby: {
    "half-read by line": [
      ["gets", "a\nb\nc", '"a\\n"'],
      ["[gets, $stdin.read, $.]", undefined, '[null,"",0]'],
      ["[gets, $., $stdin.lineno]", "x\ny", '["x\\n",1,1]'],
      ["gets", undefined, "none"],
      ["readlines(chomp: true)", "z\nw", '["z","w"]'],
      ["readline", undefined, "EOFError: end of file reached"],
    ],
    "half-read by ARGF": [
      ["ARGF.gets", "1\n2\n3", '"1\\n"'],
      ["ARGF.readline", "4\n5", '"4\\n"'],
      ["ARGF.read", "6\n7", '"6\\n7"'],
      ["ARGF.each_line.to_a", "8\n9", '["8\\n","9"]'],
      ["[ARGF.gets, ARGF.gets]", "10", '["10",null]'],
    ],
    "half-read by character": [
      ["$stdin.getc + STDIN.getc", "é𝄞z" + "é".repeat(9000), '"é𝄞"'],
      ["STDIN.getc", undefined, "none"],
      ["[STDIN.read(2), STDIN.eof?]", "cde", '["cd",false]'],
      ["STDIN.ungetc('x'); STDIN.getbyte", "f", "120"],
      ["STDIN.ungetc('y'); 1", undefined, "1"],
      ["STDIN.read", "g", '"g"'],
    ],
    "the objects stay the same, an iterator too": [
      ["s = $stdin; lines = s.each_line; lines.next", "1\n2\n3", '"1\\n"'],
      ["[lines.next, s.equal?(STDIN)]", "4\n5", '["4\\n",true]'],
      ["begin; lines.next; rescue StopIteration; 'end'; end", undefined, '"end"'],
      ["s.set_encoding('ISO-8859-1'); 1", undefined, "1"],
      ["s.read.size", "é", "2"],
    ],
    "closed": [
      ["$stdin.close; 1", "x", "1"],
      ["gets", "y", '"y"'],
      ["STDIN.close; STDIN.closed?", undefined, "true"],
      ["[STDIN.read, STDIN.inspect, STDIN.fileno]", "z", '["z","#<IO:<STDIN>>",0]'],
      ["require 'stringio'; $stdin = StringIO.new('mine'); $stdin.read(2)", "given", '"mi"'],
      ["[$stdin.read, STDIN.read]", "given", '["ne","given"]'],
      ["$stdin = File.open('/dev/stdin'); gets", "a\nb", '"a\\n"'],
      ["gets", "c", '"c"'],
    ],
    "runs that fail and exit": [
      ["gets; raise 'x'", "a\nb", "RuntimeError: x"],
      ["$stdin.read", undefined, '""'],
      ["exit if gets", "a\nb", "none"],
      ["exit! 0 if gets", "c\nd", "none"],
      ["$stdin.read", "e", '"e"'],
    ],
  },
  javascript: {
    "half-read by descriptor": [
      [
        "const fs = require('fs'); const b = Buffer.alloc(2); fs.readSync(0, b); `${b}`",
        "abcdef",
        "'ab'",
      ],
      ["fs.readFileSync(0, 'utf8')", undefined, "''"],
      ["fs.readFileSync(0, 'utf8')", "xyz", "'xyz'"],
      ["fs.closeSync(0); 0", "x", "0"],
      ["fs.readFileSync(0, 'utf8')", "y", "'y'"],
    ],
    "the stream stays the same": [
      [
        "const { once } = require('events'); const { stdin } = process; `${await once(stdin, 'data')}`",
        "one",
        "'one'",
      ],
      ["`${stdin === process.stdin} ${await once(stdin, 'data')}`", "two", "'true two'"],
      ["let s = ''; for await (const c of stdin) s += c; s", undefined, "''"],
      ["let s = ''; for await (const c of stdin) s += c; s", "three", "'three'"],
    ],
    "half-read by the stream": [
      [
        "process.stdin.on('readable', function take() { const c = process.stdin.read(2); if (c) { console.log(`${c}`); process.stdin.off('readable', take) } }); 0",
        "abcdef",
        "0",
      ],
      ["let s = ''; for await (const c of process.stdin) s += c; s", undefined, "''"],
      ["let s = ''; for await (const c of process.stdin) s += c; s", "new", "'new'"],
      ["process.stdin.once('data', () => process.stdin.pause()); 0", "abc", "0"],
      ["process.stdin.destroy(); 0", "abc", "0"],
      ["await require('stream/consumers').text(process.stdin)", "def", "'def'"],
      ["process.stdin.on('data', () => { throw new Error('no') }); 0", "abc", "Error: no"],
      ["await require('stream/consumers').text(process.stdin)", "def", "'def'"],
    ],
    "listeners are those of their run": [
      [
        "var heard = []; process.stdin.on('data', (c) => heard.push(`first ${c}`)).on('end', () => heard.push('end')); 0",
        "p",
        "0",
      ],
      ["process.stdin.on('data', (c) => heard.push(`second ${c}`)); 0", "q", "0"],
      ["heard.join()", undefined, "'first p,end,second q'"],
    ],
    "readline goes on": [
      [
        "const rl = require('readline').createInterface({ input: process.stdin }); const ask = () => new Promise((done) => rl.question('', done)); await ask()",
        "1\n2\n3",
        "'1'",
      ],
      ["await ask()", "4\n5", "'4'"],
      ["await ask() + await ask()", "6\n7", "'67'"],
      ["(await rl[Symbol.asyncIterator]().next()).value", "8\n9", "'8'"],
      ["let all = ''; for await (const l of rl) all += l; all", "10\n11", "'1011'"],
      ["rl.close(); 0", undefined, "0"],
      [
        "let code; try { await ask() } catch (e) { code = e.code } code",
        "12",
        "'ERR_USE_AFTER_CLOSE'",
      ],
      [
        "const next = require('readline/promises').createInterface({ input: process.stdin }); [await next.question(''), await next.question('')].join()",
        "13\n14",
        "'13,14'",
      ],
    ],
    "runs that fail and exit": [
      [
        "require('fs').readSync(0, Buffer.alloc(1)); throw new TypeError('x')",
        "abc",
        "TypeError: x",
      ],
      ["require('fs').readFileSync(0, 'utf8')", undefined, "''"],
      ["process.stdin.on('data', () => process.exit(0)); 0", "abc", "none"],
      ["require('fs').readFileSync(0, 'utf8')", "d", "'d'"],
    ],
  },
};
