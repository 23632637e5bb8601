/**
 * The interfaces of the service through which the cases of reports run: stateless runs, contexts, and E2B's
 * protocol with the calls of its SDK.
 *
 * @module
 */
import type { ReportCase, Step } from "./report_case.ts";
import { jsonPost } from "../support/json_post.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Runs the steps of a case; gives the outcome of each. */
export async function runCase(url: string, report: ReportCase): Promise<readonly unknown[]> {
  const step = await opened(url, report);
  const outcomes: unknown[] = [];
  for (const fields of report.steps) outcomes.push(await step(fields));
  return outcomes;
}

type Runner = (step: Step) => Promise<unknown>;

async function opened(url: string, { interface: name, language }: ReportCase): Promise<Runner> {
  switch (name) {
    case "stateless":
      return async (body) => flatOutcome(await post(`${url}/execute/${language}`, body));
    case "context": {
      const path = `${url}/languages/${language}/sandboxes/${crypto.randomUUID()}/execute`;
      return async (body) => flatOutcome(await post(path, body));
    }
    case "e2b": {
      const base = `${url}/e2b`;
      const { sandboxID } = await post(`${base}/sandboxes`, {});
      const headers = { "e2b-sandbox-id": String(sandboxID) };
      return (step) => e2bStep({ base, headers, language }, step);
    }
  }
}

interface E2bBox {
  readonly base: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly language: string;
}

/** A call of E2B's SDK: `run_code`, `write` or `read`. */
async function e2bStep({ base, headers, language }: E2bBox, step: Step): Promise<unknown> {
  const { run_code: code, write, read, data = "" } = step;
  if (code !== undefined) {
    const answer = await fetch(`${base}/execute`, {
      method: "POST",
      headers: { ...headers, ...JSON_TYPE },
      body: JSON.stringify({ code, language }),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${answer.status} ${text}`);
    return e2bOutcome(text.trimEnd().split("\n").map((line) => JSON.parse(line)));
  }
  const path = encodeURIComponent(write ?? read ?? "");
  if (read !== undefined) {
    const answer = await fetch(`${base}/files?path=${path}`, { headers });
    return { text: await answer.text() };
  }
  const body = new FormData();
  body.append("file", new Blob([data]), write ?? "");
  const answer = await fetch(`${base}/files?path=${path}`, { method: "POST", headers, body });
  const [file] = await answer.json();
  return file;
}

type Line = Readonly<Record<string, unknown>>;

/** The parts of an execution as the SDK gives them. */
function e2bOutcome(lines: readonly Line[]): unknown {
  const ofType = (wanted: string) => lines.filter(({ type }) => type === wanted);
  const joined = (wanted: string) => ofType(wanted).map(({ text }) => text).join("");
  return {
    stdout: joined("stdout"),
    stderr: joined("stderr"),
    text: ofType("result").find(({ is_main_result: isMain }) => isMain === true)?.text,
    error: ofType("error")[0],
  };
}

/** The fields of a result by the names that the cases use. */
function flatOutcome({ logs, ...result }: Record<string, unknown>): unknown {
  return { ...result, ...(typeof logs === "object" ? logs : {}) };
}

async function post(url: string, body: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(url, jsonPost(body));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}: ${text}`);
  return JSON.parse(text);
}
