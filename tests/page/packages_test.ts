// test: long
/** The page of a service with packages of the operator. */
import { assertEquals } from "@std/assert";
import { browserTest } from "./browser.ts";

const FOLDER = await Deno.makeTempDir();
await Deno.mkdir(`${FOLDER}/lib/Try`, { recursive: true });
await Deno.writeTextFile(
  `${FOLDER}/lib/Try/Tiny.pm`,
  "package Try::Tiny;\nour $VERSION = '0.31';\n1;\n",
);

browserTest("page: the packages of the chosen language are listed", async (_test, { visit }) => {
  await visit(async (page) => {
    const packages = page.locator("details.fields", { hasText: "Packages" });
    await page.locator("select.language").selectOption("javascript");
    assertEquals(await packages.isVisible(), false);
    await page.locator("select.language").selectOption("perl");
    await packages.locator("summary").click();
    assertEquals(await packages.locator("summary").textContent(), "Packages1");
    assertEquals(await packages.locator("p").textContent(), "Try::Tiny 0.31");
  });
  await Deno.remove(FOLDER, { recursive: true });
}, { LANGUAGES: "javascript,perl", PERL_PACKAGES: FOLDER });
