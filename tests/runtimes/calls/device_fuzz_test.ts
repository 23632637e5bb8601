// test: long
/**
 * Random writes of programs into the device of their calls, and calls with broken built-ins: at most
 * the run itself ends, and its isolate serves the next one. `ROUNDS` says how many programs.
 */
import { assertEquals } from "@std/assert";
import type { BundledLanguage as Language } from "../../../shared/languages.ts";
import { attempt, echo, type Script, startIsolate } from "../../support/calling_isolate.ts";
import { count } from "../../support/counts.ts";
import type { Below } from "../../support/random_answers.ts";
import { type DeviceStep, randomSteps } from "../../support/random_frames.ts";
import { printedSeed, seededBelow } from "../../support/random.ts";

const ROUNDS = Number(Deno.env.get("ROUNDS") ?? count(25, 400));
const STEPS = 12;

/** Writes the steps of a program in a language that opens the device. */
const WRITERS: { readonly [L in Exclude<Language, "javascript">]: (steps: string) => string } = {
  python: (steps) =>
    `import posix, sys, json
fd = posix.open('/dev/call', posix.O_RDWR)
for step in json.loads(r'''${steps}'''):
    try:
        if step['before'] == 'reopen':
            posix.close(fd)
            fd = posix.open('/dev/call', posix.O_RDWR)
        elif step['before'] == 'seek': posix.lseek(fd, 7, 0)
        elif step['before'] == 'call': tools.echo(n=1)
        elif step['before'] == 'flush': print('x', flush=True)
        posix.write(fd, bytes.fromhex(step['hex']) * step['times'])
    except (OSError, ToolError, ValueError) as error: print(type(error).__name__)
    for most in step['reads']: posix.read(fd, most)
'done'`,
  perl: (steps) =>
    `use Fcntl; use JSON::PP;
sysopen(my $fh, '/dev/call', O_RDWR) or die "no device";
for my $step (@{ decode_json('${steps}') }) {
  my $before = $step->{before};
  if ($before eq 'reopen') { close $fh; sysopen($fh, '/dev/call', O_RDWR) }
  sysseek($fh, 7, 0) if $before eq 'seek';
  eval { Belljar::call('echo', { n => 1 }) } if $before eq 'call';
  print "x\\n" if $before eq 'flush';
  syswrite($fh, pack('H*', $step->{hex}) x $step->{times}) // print "refused\\n";
  sysread($fh, my $read, $_) for @{ $step->{reads} };
}
'done'`,
  ruby: (steps) =>
    `require 'json'
device = File.open('/dev/call', 'r+b')
JSON.parse('${steps}').each do |step|
  begin
    case step['before']
    when 'reopen' then device.close; device = File.open('/dev/call', 'r+b')
    when 'seek' then device.sysseek(7)
    when 'call' then tools.echo(n: 1)
    when 'flush' then puts 'x'
    end
    device.syswrite([step['hex']].pack('H*') * step['times'])
  rescue SystemCallError, ToolError, IOError, ArgumentError => error
    puts error.class
  end
  step['reads'].each { |most| begin; device.sysread(most); rescue SystemCallError, EOFError; end }
end
'done'`,
};

/** Statements that break what the environment of JavaScript is made of. */
const BREAKS: readonly string[] = [
  "JSON.stringify = () => '{';",
  "JSON.parse = () => ({ get value() { throw 1 } });",
  "Promise.prototype.then = function (f) { return f(1) };",
  "Object.prototype.toJSON = () => [];",
  "Array.prototype.push = () => { throw new Error('push') };",
  "Array.prototype[Symbol.iterator] = function* () { yield* [1, 2, 3] };",
  "Map.prototype.get = () => undefined; Map.prototype.delete = () => false;",
  "String.prototype.split = () => ['wait', '9', '9'];",
  "Object.defineProperty(Object.prototype, 'key', { set() { throw 1 } });",
  "queueMicrotask(() => { for (let n = 0; n < 70; n++) tools.echo({ n }).catch(() => 0) });",
  "globalThis.setTimeout = undefined; globalThis.Promise = class {};",
  "RegExp.prototype.exec = () => { throw 1 };",
  "Error = undefined; ToolError = undefined;",
];

const JS_ARGUMENTS: readonly string[] = [
  "{}",
  "{ a: 1n }",
  "{ get a() { return tools.echo({}) } }",
  "new Proxy({}, { ownKeys: () => { throw 1 } })",
  "(() => { const a = {}; a.a = a; return a })()",
  "{ toJSON() { return 'text' } }",
  "{ a: 'x'.repeat(70000) }",
  "{ a: Array.from({ length: 3000 }).reduce((a) => [a], 1) }",
  "null",
  "[1]",
  "{ a: '\\ud800' }",
  "function () {}",
  "{ a: new Uint8Array(4), b: Symbol('s') }",
];

function javascriptProgram(below: Below): string {
  const statements = Array.from({ length: STEPS }, () => {
    const input = JS_ARGUMENTS[below(JS_ARGUMENTS.length)];
    const name = ["echo", "crm.find", "crm", "none", "then", "__proto__", "['a b']"][below(7)];
    const call = name?.startsWith("[") ? `tools${name}(${input})` : `tools.${name}(${input})`;
    if (below(4) === 0) return `try { ${BREAKS[below(BREAKS.length)]} } catch {}`;
    if (below(3) === 0) return `try { ${call}.then(() => 0, () => 0) } catch {}`;
    return `try { await ${call} } catch {}`;
  });
  return `${statements.join("\n")}\n'done'`;
}

function programOf(language: Language, below: Below): string {
  if (language === "javascript") return javascriptProgram(below);
  const steps: readonly DeviceStep[] = randomSteps(below, STEPS);
  return WRITERS[language](JSON.stringify(steps));
}

/** Answers like {@link echo}, and takes the isolate back at a wait now and then. */
function script(below: Below): Script {
  const answer = echo();
  return (wait, made) => below(40) === 0 ? undefined : answer(wait, made);
}

const GOOD: { readonly [L in Language]: string } = {
  javascript: "(await tools.add({ x: 2 })).x",
  python: "tools.add(x=2)['x']",
  perl: "Belljar::call('add', { x => 2 })->{x}",
  ruby: "tools.add(x: 2)['x']",
};

for (const language of ["javascript", "python", "perl", "ruby"] as const) {
  Deno.test(`device fuzz: a program in ${language} ends at most its own run`, async () => {
    const seed = printedSeed(`writes of ${language}`);
    const faults: string[] = [];
    const isolate = await startIsolate(language, (fault) => faults.push(fault));
    const results = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const below = seededBelow(seed + round);
      const code = programOf(language, below);
      const wrong = await attempt(isolate, { language, code, script: script(below) });
      const place = `SEED=${seed}, round ${round}: ${wrong.result} ${wrong.stderr.slice(0, 300)}`;
      assertEquals([faults, isolate.usable], [[], true], place);
      assertEquals(wrong.end === "diverged", false, place);
      results.set(wrong.result, (results.get(wrong.result) ?? 0) + 1);
      const good = await attempt(isolate, { language, code: GOOD[language], script: echo() });
      assertEquals([good.result, faults, isolate.usable], ["2", [], true], place);
    }
    // most programs come to their end: the writes reach the device
    const done = [...results].filter(([result]) => result.includes("done"))
      .reduce((sum, [, times]) => sum + times, 0);
    assertEquals(done > ROUNDS / 3, true, JSON.stringify([...results]));
    isolate.kill();
    await isolate.ended;
  });
}
