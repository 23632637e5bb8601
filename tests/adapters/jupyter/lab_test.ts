// test: long
/** JupyterLab in a browser, with its kernels at a real service. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { hasBrowser, launch } from "../../page/browser.ts";
import { freePort } from "../../support/program.ts";
import { startService } from "../../support/service.ts";
import { clientTest, PYTHON } from "../../support/test_clients.ts";
import { rest } from "./client.ts";

const TOKEN = "ann-0123456789abcdef";
const WAIT_MS = 120_000;

const CELLS = [
  "x = 40\nprint('hello')\nx + 2",
  "import turtle\nturtle.forward(50)\nturtle.done()",
  "open('f', 'w').write('a file')\nopen('f').read()",
  "1 / 0",
  "name = input('Name? ')\nprint('Hi', name)",
  "print('go')\nwhile True: pass",
  "x",
];

/** Starts JupyterLab with the kernels of a gateway; gives its address, and what ends it. */
async function startLab(url: string, folder: string) {
  const port = freePort();
  const child = new Deno.Command(PYTHON, {
    args: [
      ...["-m", "jupyterlab", "--no-browser", "--allow-root", `--gateway-url=${url}/jupyter`],
      ...["--ip=127.0.0.1", `--port=${port}`, "--ServerApp.port_retries=0"],
      ...[`--ServerApp.root_dir=${folder}`, "--IdentityProvider.token="],
    ],
    cwd: folder,
    env: { JUPYTER_GATEWAY_AUTH_TOKEN: TOKEN, HOME: folder },
    stdout: "null",
    stderr: "null",
  }).spawn();
  const address = `http://127.0.0.1:${port}`;
  for (;;) {
    const status = await fetch(`${address}/api`).then(
      async (answer) => (await answer.body?.cancel(), answer.status),
      () => 0,
    );
    if (status === 200) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    address,
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await child.status;
    },
  };
}

/** Runs the cell with a number, and goes to the next one. */
async function runCell(page: Page, number: number): Promise<void> {
  await page.locator(".jp-Notebook .jp-CodeCell").nth(number).locator(".jp-InputArea-editor")
    .click();
  await page.keyboard.press("Shift+Enter");
}

/** The output of a cell, once it contains a text. */
async function output(page: Page, number: number, text: string): Promise<void> {
  await page.locator(".jp-Notebook .jp-CodeCell").nth(number).locator(".jp-OutputArea")
    .filter({ hasText: text }).first().waitFor({ timeout: WAIT_MS });
}

clientTest(
  "jupyter lab: a notebook in a browser runs, draws, fails, asks and is interrupted",
  "package jupyterlab",
  async () => {
    if (!hasBrowser) return; // the tests of the page say so
    const folder = await Deno.makeTempDir();
    await using service = await startService({ LANGUAGES: "python", TOKENS: `ann:${TOKEN}` });
    const kernelspec = { name: "python3", display_name: "Python", language: "python" };
    const cells = CELLS.map((source, at) => ({
      cell_type: "code",
      execution_count: null,
      id: `cell-${at}`,
      metadata: {},
      outputs: [],
      source,
    }));
    const notebook = { cells, metadata: { kernelspec }, nbformat: 4, nbformat_minor: 5 };
    await Deno.writeTextFile(`${folder}/a.ipynb`, JSON.stringify(notebook));
    const browser = await launch();
    try {
      await using lab = await startLab(service.url, folder);
      const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
      await page.goto(`${lab.address}/lab/tree/a.ipynb?reset`);
      await page.locator(".jp-Notebook .jp-CodeCell").nth(6).waitFor({ timeout: WAIT_MS });
      await page.locator(".jp-Notebook-ExecutionIndicator[data-status=idle]").first()
        .waitFor({ timeout: WAIT_MS });
      await runCell(page, 0);
      await output(page, 0, "hello");
      await output(page, 0, "42");
      await runCell(page, 1);
      await page.locator(".jp-CodeCell").nth(1).locator(".jp-RenderedSVG").waitFor();
      await runCell(page, 2);
      await output(page, 2, "'a file'");
      await runCell(page, 3);
      await output(page, 3, "ZeroDivisionError");
      await runCell(page, 4);
      const field = page.locator(".jp-Stdin-input");
      await field.waitFor({ timeout: WAIT_MS });
      await field.fill("Ada");
      await field.press("Enter");
      await output(page, 4, "Hi Ada");
      await runCell(page, 5);
      await page.locator(".jp-Notebook-ExecutionIndicator[data-status=busy]").first().waitFor();
      await page.locator(
        "[data-command='notebook:interrupt-kernel'], [title^='Interrupt the kernel']",
      )
        .first().click();
      await output(page, 5, "KeyboardInterrupt");
      await runCell(page, 6);
      await output(page, 6, "40");
      const { json } = await rest({ url: service.url, token: TOKEN }, "GET /kernels");
      assertEquals(json.length, 1);
      const path = `/languages/python/sandboxes/jupyter-${json[0].id}/files/f`;
      const file = await fetch(service.url + path, {
        headers: { authorization: `Bearer ${TOKEN}` },
      });
      assertStringIncludes(await file.text(), "a file");
    } finally {
      await browser.close();
      await Deno.remove(folder, { recursive: true });
    }
  },
);
