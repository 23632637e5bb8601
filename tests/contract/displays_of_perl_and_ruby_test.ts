/** Displays of Perl and Ruby programs, in answers and streams. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Display, ExecutionResult } from "../../client/protocol/types.ts";
import { type SandboxTarget, sandboxTarget, shareService } from "./sandbox_target.ts";
import { jsonPost } from "../support/json_post.ts";

shareService();

type ShowingLanguage = "perl" | "ruby";

const LANGUAGES: readonly ShowingLanguage[] = ["perl", "ruby"];

/** Shows HTML, an image and JSON around output; the value is 7. */
const SHOWING: Readonly<Record<ShowingLanguage, string>> = {
  perl: `print "one\\n"; Belljar::display('text/html', '<b>é</b>');
print "two\\n"; Belljar::display('image/png', "\\x89PNG"); print "three\\n";
Belljar::display('application/json', { a => [1, undef, 1 == 1] }, { title => 'A' });
7`,
  ruby: `puts "one"; display_data("text/html", "<b>é</b>")
puts "two"; display_data("image/png", "\\x89PNG".b); puts "three"
display_data("application/json", { a: [1, nil, true] }, metadata: { title: "A" })
7`,
};

const SHOWN: readonly Display[] = [
  { data: { "text/html": "<b>é</b>" } },
  { data: { "image/png": "iVBORw==" } },
  { data: { "application/json": { a: [1, null, true] } }, metadata: { title: "A" } },
];

const TOO_MANY: Readonly<Record<ShowingLanguage, string>> = {
  perl: "our $n = 5; Belljar::display('x/y', $_) for 1 .. 17; print 'on'; 7",
  ruby: "17.times { display_data('x/y', _1) }; puts 'on'; 7",
};

const WRONG: Readonly<Record<ShowingLanguage, string>> = {
  perl: "Belljar::display('x/y', 1);\nBelljar::display('html', 1)",
  ruby: "display_data('x/y', '1')\ndisplay_data('html', 1)",
};

/** The routes for a language: stateless, and in a sandbox. */
function pathsOf(target: SandboxTarget, language: ShowingLanguage): readonly string[] {
  return [
    `/execute/${language}`,
    `/languages/${language}/sandboxes/${target.sandbox().id}/execute`,
  ];
}

function request(code: string, headers: Record<string, string> = {}): RequestInit {
  return jsonPost({ code }, headers);
}

async function run(target: SandboxTarget, path: string, code: string): Promise<ExecutionResult> {
  const response = await target.plainCall(path, request(code));
  assertEquals(response.status, 200);
  return await response.json();
}

type Step = (target: SandboxTarget, language: ShowingLanguage, path: string) => Promise<void>;

const STEPS: Readonly<Record<string, Step>> = {
  "the answer has them in order, beside the result; without any, it has none": async (
    target,
    language,
    path,
  ) => {
    const response = await target.call(path, request(SHOWING[language]));
    const result: ExecutionResult = await response.json();
    assertEquals(result.displays, SHOWN);
    assertEquals([result.results[0]?.text, result.error], ["7", undefined]);
    assertEquals("displays" in await run(target, path, "7"), false);
  },

  "a stream has them where they arise": async (target, language, path) => {
    const accept = { accept: "application/x-ndjson" };
    const response = await target.plainCall(path, request(SHOWING[language], accept));
    const events = (await response.text()).trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(
      events.map(({ type, text, display }) => text ?? display ?? type),
      ["start", "one", SHOWN[0], "two", SHOWN[1], "three", SHOWN[2], "end"],
    );
    assertEquals(events.at(-1).execution.displays, SHOWN);
  },

  "too many are dropped, and told after the program's end": async (target, language, path) => {
    const { displays, error, logs, results } = await run(target, path, TOO_MANY[language]);
    assertEquals([displays?.length, logs.stdout, results], [16, ["on"], []]);
    assertEquals(error?.name, "ExecutionLimitError");
    assertMatch(error?.message ?? "", /^Display limit /);
  },

  "a wrong call is the program's error, and what was shown before stays": async (
    target,
    language,
    path,
  ) => {
    const { displays, error } = await run(target, path, WRONG[language]);
    assertEquals([displays, error?.lineNumber], [[{ data: { "x/y": "1" } }], 2]);
    assertMatch(error?.message ?? "", /not a MIME type/);
  },
};

Deno.test("displays of Perl and Ruby", async (t) => {
  await using target = sandboxTarget();
  for (const language of LANGUAGES) {
    for (const path of pathsOf(target, language)) {
      for (const [name, step] of Object.entries(STEPS)) {
        const place = path.startsWith("/execute/") ? "stateless" : "in a sandbox";
        await t.step(`${language}, ${place}: ${name}`, () => step(target, language, path));
      }
    }
  }

  await t.step("ruby: the value of the program is the last display, and the main one", async () => {
    const code = "class Table\n  def to_html = '<table/>'\nend\n" +
      "at_exit { display_data('x/y', '1') }\nTable.new";
    const { displays, results } = await run(target, "/execute/ruby", code);
    assertEquals(displays, [
      { data: { "x/y": "1" } },
      { data: { "text/html": "<table/>" }, main: true },
    ]);
    assertMatch(results[0]?.text ?? "", /^#<Table/);
  });

  await t.step("perl: a context keeps its state after too many displays", async () => {
    const box = target.sandbox();
    const { context, error } = await box.run("perl", TOO_MANY.perl);
    assert(error !== undefined);
    assertEquals(context?.rolledBack ?? false, false);
    assertEquals(await box.value("perl", "$n"), "5");
  });
});
