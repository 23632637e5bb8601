/**
 * CPU-bound Perl and Ruby in the service, compared with native interpreters on the same machine.
 * Usage: `deno run --allow-all bench/native.ts`
 *
 * @module
 */
import { execute, startService } from "../tests/support/service.ts";
import { PERL_PROGRAMS, RUBY_PROGRAMS } from "./programs.ts";
import { geometricMean, ms, quantile, table } from "./stats.ts";

const ROUNDS = 9;
/** Warm-up rounds, in which V8 optimizes hot code. */
const WARM_UP_ROUNDS = 4;

/** Runs a program repeatedly in a native interpreter. Prints the value, then each time in ms. */
interface Native {
  readonly language: "perl" | "ruby";
  readonly programs: Readonly<Record<string, string>>;
  readonly command: string;
  readonly source: string;
}

const NATIVES: readonly Native[] = [{
  language: "perl",
  programs: PERL_PROGRAMS,
  command: "perl",
  source: `use Time::HiRes 'time'; my ($rounds, $code) = @ARGV; my ($value, @times);
    for (1 .. $rounds) { my $start = time; $value = eval "no strict; no warnings; $code";
      die $@ if $@; push @times, (time - $start) * 1000 }
    print join "\\n", $value, @times`,
}, {
  language: "ruby",
  programs: RUBY_PROGRAMS,
  command: "ruby",
  source: `$VERBOSE = nil; rounds, code = ARGV; value = nil
    times = Array.new(rounds.to_i) { start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      value = eval(code, TOPLEVEL_BINDING.dup)
      (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start) * 1000 }
    puts value.inspect, times`,
}];

interface Timed {
  readonly value: string;
  readonly ms: number;
}

/** The value and median time of a program natively; undefined where there is no interpreter. */
async function natively({ command, source }: Native, code: string): Promise<Timed | undefined> {
  const args = ["-e", source, "--", String(ROUNDS), code];
  try {
    const { stdout, success } = await new Deno.Command(command, { args, stderr: "inherit" })
      .output();
    if (!success) throw new Error(`${command} failed`);
    const [value = "", ...times] = new TextDecoder().decode(stdout).trimEnd().split("\n");
    return { value, ms: quantile(times.map(Number), 0.5) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function here(url: string, { language }: Native, code: string): Promise<Timed> {
  const times: number[] = [];
  let value = "";
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const { result } = await execute(url, language, code);
    const { results, error, durationMs } = result;
    value = results[0]?.text ?? `no value: ${error?.message}`;
    if (round >= 0) times.push(durationMs);
  }
  return { value, ms: quantile(times, 0.5) };
}

/** One table for each language, with the geometric mean of the ratios. */
export async function nativeTables(print: (text: string) => void): Promise<void> {
  await using service = await startService({ ISOLATES: "1", LANGUAGES: "perl,ruby" });
  for (const native of NATIVES) {
    const ratios: number[] = [];
    const rows: string[][] = [];
    for (const [name, code] of Object.entries(native.programs)) {
      const [theirs, ours] = [await natively(native, code), await here(service.url, native, code)];
      if (theirs !== undefined && theirs.value !== ours.value) {
        throw new Error(`${name}: the values are ${ours.value} and ${theirs.value}`);
      }
      const ratio = theirs === undefined ? NaN : ours.ms / theirs.ms;
      ratios.push(ratio);
      rows.push([name, ms(ours.ms), theirs === undefined ? "–" : ms(theirs.ms), ratio.toFixed(2)]);
    }
    const mean = ["**geometric mean**", "", "", geometricMean(ratios).toFixed(2)];
    print(table([native.language, "ms", `${native.command}, ms`, "ratio"], [...rows, mean]));
  }
}

if (import.meta.main) {
  await nativeTables((text) => {
    Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n\n`));
  });
}
