// test: long
/** The page where things go wrong, or become large. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { freePort, startOnPort, startProgram } from "../support/program.ts";
import { browserTest, ending, run, write } from "./browser.ts";

browserTest("page: large output and limits leave it usable", async (test, { visit }) => {
  await test.step("a mebibyte of output in one line, and in ten thousand lines", () =>
    visit(async (page) => {
      const programs = ["print('x' * 1048575)", "for i in range(10000): print(i, 'y' * 90)"];
      for (const program of programs) {
        await run(page, program, "python");
        assertEquals(await ending(page), "ok");
        // the page answers a key at once
        await write(page, "1");
        assertEquals(await page.locator(".cm-line").first().textContent(), "1");
      }
      assertEquals(await page.locator(".run").first().locator(".line").count(), 10_000);
      const more = page.locator(".run").nth(1).locator(".more");
      const before = await more.textContent();
      assertEquals(before, "… 1,044,575 more characters");
      await more.click();
      assertEquals(await more.textContent(), "… 1,028,575 more characters");
    }));

  await test.step("a large result is shown from its beginning", () =>
    visit(async (page) => {
      await run(page, "'z' * 200000", "python");
      assertEquals(await ending(page), "ok");
      assert((await page.locator(".result pre").textContent() ?? "").length < 9_000);
    }));

  await test.step("a result nested thousands deep is shown", () =>
    visit(async (page) => {
      await run(page, "value = 1\nfor i in range(5000): value = [value]\nvalue", "python");
      assertEquals(await ending(page), "ok");
      assertStringIncludes(await page.locator(".result pre").textContent() ?? "", "[");
    }));

  await test.step("each limit is told by its name", () =>
    visit(async (page) => {
      const programs = [
        ["while True: pass", "Fuel limit reached"],
        ["while True: print('a' * 1000)", "Output limit reached"],
        ["for i in range(20000): print(i)", "Output limit reached"],
        ["'a' * 300000", "Result limit reached"],
        ["for i in range(17): display(i)", "Display limit reached"],
      ] as const;
      for (const [program, message] of programs) {
        await run(page, program, "python");
        assertEquals(await ending(page), "limit", program);
        const error = page.locator(".run").first().locator(".error-title");
        assertStringIncludes(await error.textContent() ?? "", message);
      }
    }));

  await test.step("a program that is too long is refused with a reason", () =>
    visit(async (page) => {
      await run(page, `# ${"x".repeat(70_000)}`, "python");
      assertEquals(await ending(page), "failed");
      assertStringIncludes(await page.locator(".run-note").textContent() ?? "", "65536");
    }, { refusals: true }));
});

browserTest("page: programs and choices survive a reload", async (test, { visit }) => {
  await test.step("a reload keeps program, input and language", () =>
    visit(async (page) => {
      await page.getByLabel("Language").selectOption("perl");
      await write(page, "print 'kept'");
      await page.getByText("Input and limits").click();
      await page.getByLabel("Standard input").fill("kept too");
      await page.reload();
      await page.locator(".cm-content").waitFor();
      assertEquals(await page.locator(".cm-line").first().textContent(), "print 'kept'");
      assertEquals(await page.getByLabel("Language").inputValue(), "perl");
      await page.getByText("Input and limits").click();
      assertEquals(await page.getByLabel("Standard input").inputValue(), "kept too");
    }));

  await test.step("the back button leads back to the sandbox, with its programs and runs", () =>
    visit(async (page) => {
      await page.getByRole("button", { name: "New context of Python" }).click();
      await page.locator(".pane").waitFor();
      await run(page, "'from the sandbox'");
      assertEquals(await ending(page), "ok");
      await page.getByRole("link", { name: "Run", exact: true }).click();
      await page.getByLabel("Language").waitFor();
      await page.goBack();
      await page.getByRole("complementary", { name: "Sandbox back" }).waitFor();
      assertEquals(await page.locator(".cm-line").first().textContent(), "'from the sandbox'");
      assertEquals(await page.locator(".run").count(), 1);
      await page.reload();
      await page.locator(".cm-content").waitFor();
      assertEquals(await page.locator(".cm-line").first().textContent(), "'from the sandbox'");
    }, { path: "/#sandbox=back" }));

  await test.step("a link holds the program, also where there is no clipboard", () =>
    visit(async (page) => {
      await write(page, "print('linked')\n# ü");
      await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error())");
      await page.getByRole("button", { name: "Copy link" }).click();
      const link = await page.getByRole("dialog").locator("textarea").inputValue();
      assertStringIncludes(link, "/#program=");
      await page.getByRole("button", { name: "Close" }).first().click();
      await write(page, "other");
      await page.goto(link);
      await page.getByText("came with the link").first().waitFor();
      assertEquals(await page.locator(".cm-line").allTextContents(), ["print('linked')", "# ü"]);
      assertEquals(await page.locator(".run").count(), 0);
      assertEquals(new URL(page.url()).hash, "");
    }));

  await test.step("two tabs on one sandbox see each other's contexts and files", () =>
    visit(async (first) => {
      const second = await first.context().newPage();
      await second.goto(first.url());
      await first.getByRole("button", { name: "New context of Python" }).click();
      await first.locator(".pane").waitFor();
      await run(first, "x = 1; open('by_first.txt', 'w').close()");
      assertEquals(await ending(first), "ok");
      await second.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await second.locator(".pane").waitFor();
      await second.getByRole("button", { name: "Open by_first.txt" }).waitFor();
      await run(second, "x + 1");
      assertEquals(await ending(second), "ok");
      assertEquals(await second.locator(".result pre").textContent(), "2");
      await first.getByRole("button", { name: "Delete this context" }).click();
      await first.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await first.locator(".pane").waitFor({ state: "detached" });
      await second.getByRole("button", { name: "Run", exact: true }).click();
      await second.getByText("deleted elsewhere").first().waitFor();
      await second.locator(".pane").waitFor({ state: "detached" });
    }, { path: "/#sandbox=two", refusals: true }));
});

browserTest("page: a token is asked for, and kept for the tab only", async (test, { visit }) => {
  await test.step("a wrong token is told, a right one opens the page, a reload keeps it", () =>
    visit(async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Token").fill("wrong");
      await dialog.getByRole("button", { name: "Use token" }).click();
      await dialog.getByText("does not accept the token").waitFor();
      await dialog.getByLabel("Token").fill("right-token");
      await dialog.getByRole("button", { name: "Use token" }).click();
      await run(page, "6 * 7", "python");
      assertEquals(await ending(page), "ok");
      await page.reload();
      await page.getByLabel("Language").waitFor();
      const stored = String(await page.evaluate("JSON.stringify(localStorage)"));
      assertStringIncludes(stored, "6 * 7");
      assertEquals(stored.includes("right-token"), false);
      const other = await page.context().newPage();
      await other.goto(page.url());
      await other.getByRole("dialog").getByLabel("Token").waitFor();
    }, { refusals: true }));

  await test.step("Enter uses the token, Escape and Cancel do not", () =>
    visit(async (page) => {
      const dialog = page.getByRole("dialog");
      for (const leave of ["Escape", "Cancel"]) {
        await dialog.getByLabel("Token").fill("right-token");
        if (leave === "Escape") await page.keyboard.press("Escape");
        else await dialog.getByRole("button", { name: "Cancel" }).click();
        await dialog.waitFor({ state: "detached" });
        await page.reload();
      }
      // an empty field is no answer
      await dialog.getByLabel("Token").press("Enter");
      await dialog.getByLabel("Token").fill("right-token");
      await dialog.getByLabel("Token").press("Enter");
      await page.locator(".pane").waitFor();
    }));

  await test.step("a caller with the token is never refused", () =>
    visit(async (page) => {
      const dialog = page.getByRole("dialog");
      await dialog.getByText("This service needs a token").waitFor();
      await dialog.getByLabel("Token").fill("right-token");
      await dialog.getByRole("button", { name: "Use token" }).click();
      await run(page, "6 * 7", "python");
      assertEquals(await ending(page), "ok");
    }));

  await test.step("without a token there is nothing but the question", () =>
    visit(async (page) => {
      await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
      await page.getByRole("button", { name: "Try again" }).waitFor();
      assertEquals(await page.locator(".pane").count(), 0);
    }));
}, { TOKENS: "ada:right-token" });

browserTest("page: a service that goes and comes back", async (test, { visit }) => {
  const folder = await Deno.makeTempDir();
  const port = freePort();
  const start = () =>
    startOnPort(() =>
      startProgram({
        env: {
          PORT: `${port}`,
          KV_PATH: `${folder}/data.sqlite3`,
          FUEL_PYTHON: "20000000000",
          WALL_MS: "30000",
        },
      })
    );
  try {
    let service = await start();
    await test.step("a context goes on counting, and the run that broke happens once", () =>
      visit(async (page) => {
        await page.getByRole("button", { name: "New context of Python" }).click();
        await page.locator(".pane").waitFor();
        await run(page, "n = 1");
        assertEquals(await ending(page), "ok");
        await run(page, "n += 1\nfor i in range(4 * 10 ** 6): pass\nn");
        await service.end("SIGKILL");
        await page.locator(".notice.problem:visible").waitFor();
        service = await start();
        assertEquals(await ending(page), "ok");
        assertEquals(await page.locator(".result pre").first().textContent(), "2");
        await page.locator(".notice.problem").first().waitFor({ state: "hidden" });
      }, { path: "/#sandbox=survivor", url: service.url, refusals: true }));

    await test.step("a stateless run that broke is told, and not repeated", () =>
      visit(async (page) => {
        await run(page, "while True: pass", "python");
        await page.waitForTimeout(300);
        await service.end("SIGKILL");
        assertEquals(await ending(page), "failed");
        service = await start();
        await run(page, "6 * 7");
        assertEquals(await ending(page), "ok");
        assertEquals(await page.locator(".run").count(), 2);
      }, { url: service.url, refusals: true }));
    await service.end("SIGTERM");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
