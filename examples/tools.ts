/**
 * Programs that call functions of this program: the same one in four languages. They wait for each value
 * as for any function, and see a failure as an exception.
 *
 *     BELLJAR_URL=http://127.0.0.1:8000 deno run --allow-net --allow-env tools.ts
 */
import { connect, runCode, ToolDenied } from "@belljar/client";

const env = connect(Deno.env.get("BELLJAR_URL") ?? "http://127.0.0.1:8000", {
  token: Deno.env.get("BELLJAR_TOKEN"),
});

const customers = new Map([["Ada", 36], ["Grace", 85]]);

/** The tools of the programs. The service checks arguments against the schema. */
const tools = {
  "crm.age": {
    description: "The age of a customer, or null.",
    inputSchema: {
      type: "object",
      properties: { name: { type: "string" } },
      required: ["name"],
    },
    execute: ({ name }: { name: string }) => customers.get(name) ?? null,
  },
  "crm.delete": () => {
    throw new ToolDenied("only a person may delete");
  },
};

const programs = {
  JAVASCRIPT: `
const ages = await Promise.all(["Ada", "Grace"].map((name) => tools.crm.age({ name })));
console.log(ages.join(" and "));
await tools.crm.delete({ name: "Ada" }).catch((error) => console.log(error.name + ": " + error.message));
await tools.crm.age({ name: 7 }).catch((error) => console.log(error.name));`,

  PYTHON: `
print(*[tools.crm.age(name=name) for name in ("Ada", "Grace")], sep=" and ")
try:
    tools.crm.delete(name="Ada")
except ToolDenied as error:
    print(f"ToolDenied: {error}")
try:
    tools.crm.age(name=7)
except ToolError as error:
    print("ToolError")`,

  PERL: `
print join(" and ", map { Belljar::call("crm.age", { name => $_ }) } "Ada", "Grace"), "\\n";
eval { Belljar::call("crm.delete", { name => "Ada" }) } // print "ToolDenied: ", $@->message, "\\n";
eval { Belljar::call("crm.age", { name => 7 }) } // print "ToolError\\n";`,

  RUBY: `
puts %w[Ada Grace].map { |name| tools.crm.age(name:) }.join(" and ")
begin
  tools.crm.delete(name: "Ada")
rescue ToolDenied => error
  puts "ToolDenied: #{error.message}"
end
begin
  tools.crm.age(name: 7)
rescue ToolError
  puts "ToolError"
end`,
};

for (const [language, code] of Object.entries(programs)) {
  const binding = env[language as keyof typeof programs];
  const { logs, error } = await runCode(binding, code, { tools });
  console.log(`${language}: ${logs.stdout.join("; ")}${error?.message ?? ""}`);
}
