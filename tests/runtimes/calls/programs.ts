/**
 * Programs that call functions of their caller: by hand, put together of pieces that show randomness and
 * clocks, and those of the corpora, in which each of the first outputs makes a call.
 *
 * @module
 */
import type { BundledLanguage as Language } from "../../../shared/languages.ts";
import { readArchive } from "../../corpus/archive.ts";
import { replayedPrograms } from "../../support/replayed_programs.ts";

/** A program that calls. */
export interface CallingCode {
  readonly name: string;
  readonly language: Language;
  readonly code: string;
}

/** The tools that the programs call. */
export const TOOL_NAMES: readonly string[] =
  ("add echo lookup compare even slow fail deny expire log begin end").split(" ");

const EXTENSIONS: { readonly [L in Language]: string } = {
  javascript: "js",
  python: "py",
  perl: "pl",
  ruby: "rb",
};
/** Programs of each kind; with twenty by hand, fifty of a language. */
const MADE_OF_PIECES = 12;
const FROM_CORPUS = 18;
const PIECES_SEED = 11;

/** Programs by hand, from the archive `calls.txtar`. */
export function programsByHand(language: Language): readonly CallingCode[] {
  return [...readArchive("calls")].filter(([name]) => name.startsWith(`${language}/`))
    .map(([name, code]) => ({ name, language, code }));
}

/** All programs of a language. */
export function callingPrograms(language: Language): readonly CallingCode[] {
  return [...programsByHand(language), ...fromPieces(language), ...fromCorpus(language)];
}

const CALLS_BETWEEN: { readonly [L in Language]: string } = {
  javascript:
    "for (let i = 0; i < 8; i++) console.log(await Promise.all([tools.add({ a: i, b: N }), " +
    "tools.echo({ r: Math.random() }), tools.slow({}).catch((error) => error.message)]));",
  python: "for i in range(8): print(tools.add(a=i, b=N), tools.echo(r=i))",
  perl: 'print Belljar::call("add", { a => $_, b => N }), " " for 1 .. 12;',
  ruby: "12.times { |i| puts tools.add(a: i, b: N) }",
};

function fromPieces(language: Language): CallingCode[] {
  return replayedPrograms(language, MADE_OF_PIECES, PIECES_SEED).map((code, index) => {
    const call = CALLS_BETWEEN[language].replace("N", String(index));
    const parts = language === "python" ? [code] : code.split("\n");
    return {
      name: `${language} pieces ${index}`,
      language,
      code: [call, ...parts.flatMap((part) => [part, call])].join("\n"),
    };
  });
}

/** Calls before each of the first 100 outputs, from wherever the program writes. */
const HOOKS: { readonly [L in Language]: string } = {
  javascript: `{ const log = console.log.bind(console); let n = 0; console.log = (...all) => {
  if (n++ < 100) tools.log({ n, text: String(all[0]).slice(0, 60) }).then((v) => log("<" + v + ">"), (e) => log("!" + e.message));
  log(...all); }; }`,
  python: `import builtins as _b
def _hook(_print=_b.print, _n=[0]):
    def hooked(*all, **options):
        _n[0] += 1
        if _n[0] <= 100:
            try: _print("<", tools.log(n=_n[0], text=str(all[:1])[:60]), ">", **options)
            except ToolError as error: _print("!", error, **options)
        _print(*all, **options)
    _b.print = hooked
_hook()`,
  perl: `BEGIN { package Hook; my $n = 0; sub TIEHANDLE { bless {}, shift }
  sub PRINT { my $self = shift; my ($sep, $end) = ($, // "", $\\ // ""); local ($,, $\\); my $text = join($sep, @_) . $end;
    if ($n++ < 100) { my $v = eval { Belljar::call("log", { n => $n, text => substr($text, 0, 60) }) } // "! $@"; syswrite(REAL, "<$v>\\n") }
    utf8::encode($text); syswrite(REAL, $text); 1 }
  sub PRINTF { my $self = shift; my $format = shift; $self->PRINT(sprintf $format, @_) } sub FILENO { 1 } sub BINMODE { 1 }
  package main; open(Hook::REAL, ">&", \\*STDOUT); tie *STDOUT, "Hook"; }`,
  ruby: `require "delegate"; $stdout = Class.new(SimpleDelegator) {
  def write(*texts)
    @n = (@n || 0) + 1
    if @n <= 100
      text = texts.join.b.byteslice(0, 40).force_encoding("ASCII").scrub("?")
      answer = begin; ::Tools.log(n: @n, text:); rescue ::Tools::ToolError => e; e.message; end
      __getobj__.write("<#{answer}>\\n")
    end
    __getobj__.write(*texts)
  end
  def puts(*all) = (all.empty? ? write("\\n") : all.flatten.each { |x| s = x.to_s; write(s.end_with?("\\n") ? s : s + "\\n") }; nil)
  def print(*all) = (write(*all.map(&:to_s)); nil)
  def <<(x) = (write(x.to_s); self) }.new($stdout)`,
};

function fromCorpus(language: Language): CallingCode[] {
  const programs = [...readArchive(language)]
    .filter(([name]) => name.endsWith(`.${EXTENSIONS[language]}`));
  const step = Math.floor(programs.length / FROM_CORPUS);
  return programs.filter((_, index) => index % step === 1).slice(0, FROM_CORPUS)
    .map(([name, code]) => ({ name, language, code: `${HOOKS[language]}\n${code}` }));
}
