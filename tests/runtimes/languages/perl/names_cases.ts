import { assertEquals } from "@std/assert";
import { brief, run } from "./perl.ts";

/** Programs with names of characters. */
const NAMES: readonly (readonly [code: string, ending: string])[] = [
  ['"\\N{SNOWMAN}" eq chr 9731', "text 1"],
  ['"\\N{greek:alpha}\\N{Greek:Omega}" eq "\\x{3b1}\\x{3a9}"', "text 1"],
  ['"a" =~ /\\N{LATIN SMALL LETTER A}/', "text 1"],
  ['ord "\\N{LATIN CAPITAL LETTER A WITH RING ABOVE AND ACUTE}"', "text 506"],
  ['length "\\N{U+1F600}"', "text 1"],
  [
    "use charnames ':full', ':alias' => { smile => 'U+263A', n => 9731 }; join ',', map { ord } \"\\N{smile}\", \"\\N{n}\"",
    "text 9786,9731",
  ],
  ["use charnames 'greek'; ord \"\\N{beta}\"", "text 946"],
  ["use charnames (); charnames::viacode('U+20AC')", "text EURO SIGN"],
  ["use charnames (); charnames::vianame('EN DASH')", "text 8211"],
  ["use charnames (); charnames::viacode(0xe000)", "none"],
  [
    '1;\nprint "\\N{NO SUCH NAME}"',
    "Error: Unknown charname 'NO SUCH NAME' at main.pl line 2, within string\n" +
    "Execution of main.pl aborted due to compilation errors.",
  ],
];

Deno.test("perl names of characters: common names are known, others are refused", async () => {
  for (const [code, ending] of NAMES) {
    const ran = await run(code);
    assertEquals([code, brief(ran), ran.err], [code, ending, ""]);
  }
});

Deno.test("perl names of characters: each leads back to its character", async () => {
  const code =
    "use charnames (); my @wrong; my $known = 0; for my $code (0x20 .. 0x33ff, 0xfb00 .. 0xffff,\n" +
    "0x1f300 .. 0x1f9ff) { my $name = charnames::viacode($code) // next; $known++;\n" +
    'push @wrong, $name if charnames::vianame($name) != $code } "$known @wrong"';
  const [known = "", ...wrong] = brief(await run(code)).replace("text ", "").trim().split(" ");
  assertEquals([Number(known) > 900, wrong], [true, []]);
});
