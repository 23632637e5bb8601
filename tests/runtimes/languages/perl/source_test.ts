import { assert } from "@std/assert";
import { readsItself } from "../../../../runtimes/languages/perl/host/source/prepare.ts";
import { prepareProgram } from "../../../../runtimes/languages/perl/host/source/prepare.ts";

Deno.test("perl source: a program reads itself if it names its file after an open", () => {
  for (const code of ["open my $f, '<', $0", "open(F, __FILE__)", "open F,\n'main.pl'"]) {
    assert(readsItself(code), code);
  }
  for (const code of ["print $0", "__FILE__; open F, 'x'", "reopen $0; opening __FILE__"]) {
    assert(!readsItself(code), code);
  }
});

Deno.test("perl source: a file of nothing but line directives is read", () => {
  assert(prepareProgram("#line 1\n".repeat(131_072)).lines.highest >= 1);
});
