// test: long
/**
 * The operator's modules for Perl and gems for Ruby in a running service.
 */
import { assertEquals, assertLessOrEqual, assertStringIncludes } from "@std/assert";
import type { ExecutionResult } from "../../../client/protocol/types.ts";
import { execute, type Service, startService } from "../../support/service.ts";

const FILES = {
  "perl/lib/Try/Tiny.pm":
    "package Try::Tiny; our $VERSION = '0.31';\nsub twice { 2 * $_[0] }\n1;\n",
  "perl/lib/JSON/PP.pm": "die 'the image has this one'",
  "ruby/rack-3.1.8/lib/rack.rb": "module Rack; autoload :Util, 'rack/util'; end",
  "ruby/rack-3.1.8/lib/rack/util.rb": "module Rack; module Util; X = 7; end; end",
  "ruby/my-gem-0.2/lib/my/gem.rb": "module My; Y = 1; end",
  "ruby/inner-ruby-1.0/lib/inner-ruby/inner-ruby.rb": "require 'inner'",
  "ruby/inner-ruby-1.0/lib/inner-ruby/inner.rb": "module Inner; Z = 3; end",
};

interface Folders extends AsyncDisposable {
  readonly env: Record<string, string>;
}

async function folders(more: Readonly<Record<string, string>> = {}): Promise<Folders> {
  const root = await Deno.makeTempDir();
  for (const [file, text] of Object.entries({ ...FILES, ...more })) {
    await Deno.mkdir(`${root}/${file.slice(0, file.lastIndexOf("/"))}`, { recursive: true });
    await Deno.writeTextFile(`${root}/${file}`, text);
  }
  return {
    env: {
      LANGUAGES: "perl,ruby",
      RUBY_CONTEXTS: "1",
      PERL_PACKAGES: `${root}/perl`,
      RUBY_PACKAGES: `${root}/ruby`,
      CACHE_DIR: `${root}/cache`,
      KV_PATH: `${root}/data.sqlite3`,
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

async function outcome({ url }: Service, language: string, code: string): Promise<string> {
  const { result } = await execute(url, language, code);
  return result.error?.message ?? result.logs.stdout.join("\n");
}

async function inContext({ url }: Service, language: string, code: string): Promise<string> {
  const response = await fetch(`${url}/languages/${language}/sandboxes/box/execute`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code }),
  });
  const result: ExecutionResult = await response.json();
  return result.error?.message ?? result.logs.stdout.join("\n");
}

Deno.test("operator packages: Perl and Ruby find them, list them and cannot change them", async () => {
  await using there = await folders();
  await using service = await startService(there.env);
  const perl = (code: string) => outcome(service, "perl", code);
  const ruby = (code: string) => outcome(service, "ruby", code);
  assertEquals(
    await perl("use Try::Tiny; print Try::Tiny::twice(4), $Try::Tiny::VERSION"),
    "80.31",
  );
  assertEquals(await perl("use JSON::PP; print JSON::PP->new->encode([1])"), "[1]");
  assertStringIncludes(
    await perl("require Nope"),
    "(added here: JSON::PP, Try::Tiny; the operator of the service adds modules: PERL_PACKAGES)",
  );
  assertStringIncludes(
    await perl("open my $f, '>', '/zeroperl/lib/site_perl/5.42.0/Try/Tiny.pm' or die $!"),
    "Read-only file system",
  );
  assertEquals(await ruby("require 'rack'; print Rack::Util::X, gem('rack')"), "7true");
  assertEquals(await ruby("Bundler.require; print My::Y, defined?(Rack)"), "1constant");
  assertEquals(
    await ruby(
      "File.write('Gemfile', \"gem 'rack'\"); Bundler.require; print defined?(My).inspect",
    ),
    "nil",
  );
  assertEquals(await ruby("gemfile { gem 'my-gem' }; print My::Y"), "1");
  assertEquals(await ruby("require 'inner'; print Inner::Z"), "3");
  assertEquals(await ruby("gemfile { gem 'inner-ruby' }; print Inner::Z"), "3");
  assertStringIncludes(await ruby("gem 'nope'"), "Could not find 'nope' among");
  const missing = await ruby("require 'nope'");
  assertStringIncludes(missing, " my-gem, ");
  assertStringIncludes(missing, "the operator of the service adds gems: RUBY_PACKAGES");
  assertStringIncludes(
    await ruby("File.write('/lib/gems/rack-3.1.8/lib/rack.rb', '')"),
    "Read-only",
  );
  const { languages } = await (await fetch(`${service.url}/languages`)).json();
  const listed = Object.fromEntries(
    languages.map(({ id, packages }: { id: string; packages?: unknown }) => [id, packages]),
  );
  assertEquals(listed.perl, [
    { name: "JSON::PP", version: "0" },
    { name: "Try::Tiny", version: "0.31" },
  ]);
  assertEquals(listed.ruby, [
    { name: "inner-ruby", version: "1.0" },
    { name: "my-gem", version: "0.2" },
    { name: "rack", version: "3.1.8" },
  ]);
});

Deno.test("operator packages: contexts of Perl and Ruby continue after a restart", async () => {
  await using there = await folders();
  const steps = {
    perl: ["use Try::Tiny; our $n = 3;", "print Try::Tiny::twice($n)", "6"],
    ruby: ["require 'rack'; n = 3", "print n * Rack::Util::X", "21"],
  } as const;
  {
    await using service = await startService(there.env);
    for (const [language, [first]] of Object.entries(steps)) {
      assertEquals(await inContext(service, language, first), "");
    }
  }
  await using service = await startService(there.env);
  for (const [language, [, second, expected]] of Object.entries(steps)) {
    assertEquals(await inContext(service, language, second), expected);
  }
});

Deno.test("operator packages: a missing one is told in 500 characters, however many there are", async () => {
  const many = Array.from({ length: 100 }, (_, index) => [
    [`perl/lib/Some/Module${index}.pm`, "1;"],
    [`ruby/some-gem${index}-1.0/lib/some.rb`, ""],
  ]).flat();
  await using there = await folders(Object.fromEntries(many));
  await using service = await startService(there.env);
  const missing = [["perl", "require Nope", "102 "], ["ruby", "require 'nope'", "103 "]] as const;
  for (const [language, code, count] of missing) {
    const message = await outcome(service, language, code);
    assertStringIncludes(message, count);
    assertStringIncludes(message, "which GET /languages lists");
    assertLessOrEqual(message.length, 500);
  }
});
