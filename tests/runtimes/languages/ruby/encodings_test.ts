/** Text from the system is UTF-8, as is the program's own. */
import { assertEquals } from "@std/assert";
import { run, shortEnding } from "./ruby.ts";

const ENV = { LETTER: "é", "NÄME": "wört", PLAIN: "plain" };

const TRUE: readonly string[] = [
  "ENV['LETTER'] == 'é'",
  "ENV.fetch('NÄME') == 'wört'",
  "ENV['X'] = 'ü'; \"#{ENV['X']} é\" == 'ü é'",
  "ENV['Ü'] = '1'; ENV.key?('Ü') && ENV.keys.include?('Ü')",
  "ENV.each.to_a.flatten.all? { |text| text.encoding == Encoding::UTF_8 }",
  "ENV.to_h == { 'LETTER' => 'é', 'NÄME' => 'wört', 'PLAIN' => 'plain' }",
  "ENV.inspect.include?('é')",
  "ENV.values.join(' é ').valid_encoding?",
  "%w[locale external filesystem].all? { |name| Encoding.find(name) == Encoding::UTF_8 }",
  "Encoding.locale_charmap == 'UTF-8' && Encoding.default_internal.nil?",
  "[__FILE__, $0, __dir__, Dir.pwd, *$:].all? { |text| text.encoding == Encoding::UTF_8 }",
  "File.write('ä', ''); [Dir.children('.'), Dir.glob('*'), Dir.entries('.') - %w[. ..]].all?(['ä'])",
  "Dir.mkdir('é'); Dir.chdir('é'); Dir.pwd == '/workspace/é' && File.expand_path('ü') == '/workspace/é/ü'",
  "begin; File.read('nö'); rescue => e; e.message.end_with?('nö'); end",
  "begin; require 'nö'; rescue LoadError => e; e.path == 'nö'; end",
  "$stdin.external_encoding == Encoding::UTF_8",
];

Deno.test("ruby encodings: environment, names of files and the locale are UTF-8", async () => {
  for (const code of TRUE) {
    assertEquals(shortEnding((await run(code, { env: ENV })).ending), "text true", code);
  }
});

Deno.test("ruby encodings: bytes that are not text are written unchanged", async () => {
  const { stdout, stderr } = await run(
    'puts "a\\xffb", "\\xE9".b; $stderr.puts "é\\xff"; warn "é\\xff"',
  );
  assertEquals([stdout, stderr], ["a\uFFFDb\n\uFFFD\n", "é\uFFFD\né\uFFFD\n"]);
});
