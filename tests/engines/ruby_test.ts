import { anotherEngine } from "../runtimes/languages/ruby/ruby.ts";
import { testEngine } from "./conformance.ts";

testEngine({
  language: "ruby",
  makeEngine: anotherEngine,
  programs: {
    bothStreams: "puts 'out'; warn 'err'",
    noNewline: "print 'no newline'",
    endlessOutput: "puts 'first'; loop { puts 'x' }",
    number: "6 * 7",
    container: "{ a: 1, 'b' => [1, 'x'] }",
    nothing: "x = nil",
    longText: "'x' * 5000",
    exception: { code: "\n\nraise TypeError, 'bad thing'", name: "TypeError" },
    syntaxError: { code: "a = 1\nb = = 2\n", name: "SyntaxError" },
    endlessLoop: "loop {}",
    endlessCatch: "begin; loop {}; rescue Exception; loop {}; ensure; loop {}; end",
    memoryHog: "held = []; loop { held << 'x' * 1_000_000 }",
    deepRecursion: "def f = [1].map { f + 1 }\nf",
    sleep: "sleep 5; 1",
    longSleep: "sleep 3600; 1",
    random: "rand",
    environment: "puts ENV.fetch('BELLJAR_TEST', 'none')",
    define: "$kept = 'yes'; def kept = 1",
    isUndefined: "$kept.nil? && !respond_to?(:kept, true) ? 1 : 0",
    exitZero: "exit; puts 'after'",
    exitThree: "exit 3",
    work: 'h = {}; 500.times { |i| h["k#{i}"] = [i] }; h.inspect.size',
  },
});
