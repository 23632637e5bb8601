/** Which packages go into a release (release/packages.ts). */
import { assertEquals } from "@std/assert";
import { importedPackages } from "../../release/packages.ts";

const ROOT = new URL("file:///project/");

function imports(specifier: string, isDynamic = false) {
  return { specifier, code: { specifier }, isDynamic };
}

Deno.test("importedPackages() finds static and dynamic imports, without those of the builder", () => {
  const graph = {
    modules: [
      {
        specifier: "file:///project/main.ts",
        dependencies: [
          imports("file:///project/store/open.ts"),
          imports("file:///project/runtimes/builder/cache.ts"),
          imports("npm:/hono@4.1.0/utils/url"),
          { specifier: "npm:/types@1.0.0" }, // imported for its types only
        ],
      },
      {
        specifier: "file:///project/store/open.ts",
        dependencies: [imports("npm:/pg@8.0.1", true), imports("file:///project/main.ts")],
      },
      {
        specifier: "file:///project/runtimes/builder/cache.ts",
        dependencies: [
          imports("npm:@scope/name@1.2.3_peer@4.0.0"),
          imports("file:///project/runtimes/builder/builders.ts", true),
        ],
      },
      {
        specifier: "file:///project/runtimes/builder/builders.ts",
        dependencies: [imports("npm:/pyodide@1.0.0")],
      },
    ],
  };
  const found = [...importedPackages(graph, ROOT)].map((pair) => pair.join("@")).sort();
  assertEquals(found, ["@scope/name@1.2.3", "hono@4.1.0", "pg@8.0.1"]);
});
