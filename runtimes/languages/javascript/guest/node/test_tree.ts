/**
 * Tests of `node:test` and how they run: one after the other, in the order they were written.
 *
 * @module
 */

/** The supported options of a test. */
export interface TestOptions {
  readonly skip?: unknown;
  readonly todo?: unknown;
}

/** The function of a test, a suite or a hook. */
export type TestFunction = (...args: readonly unknown[]) => unknown;
/** When a hook runs. */
export type HookName = "before" | "after" | "beforeEach" | "afterEach";

/** A test, or a suite of tests. */
export class TestNode {
  readonly children: TestNode[] = [];
  readonly hooks: Record<HookName, TestFunction[]> = {
    before: [],
    after: [],
    beforeEach: [],
    afterEach: [],
  };
  readonly diagnostics: string[] = [];
  skip: unknown;
  todo: unknown;
  error: unknown;
  failed = false;
  durationMs = 0;
  /** Resolves when all children that have started have ended. */
  pending: Promise<void> = Promise.resolve();

  constructor(
    readonly name: string,
    readonly parent: TestNode | undefined,
    readonly isSuite: boolean,
    readonly place: string,
    readonly fn: TestFunction | undefined,
    options: TestOptions,
  ) {
    this.skip = options.skip;
    this.todo = options.todo;
  }

  /** How many direct children failed, without those marked `todo`. */
  get failures(): number {
    return this.children.filter(({ failed, todo }) => failed && !isSet(todo)).length;
  }

  fail(error: unknown): void {
    if (this.failed) return;
    this.failed = true;
    this.error = error;
  }
}

/** Whether an option is set, to true or to a reason. */
export function isSet(option: unknown): boolean {
  return option !== undefined && option !== false;
}

async function runHooks(node: TestNode, name: HookName, context: unknown): Promise<void> {
  for (const hook of node.hooks[name]) await hook(context);
}

function ancestors(node: TestNode): readonly TestNode[] {
  const found: TestNode[] = [];
  for (let next = node.parent; next !== undefined; next = next.parent) found.unshift(next);
  return found;
}

/** Calls a test; one that takes a second parameter is done when it calls that. */
async function call(fn: TestFunction, context: unknown): Promise<void> {
  if (fn.length < 2) {
    await fn(context);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const done = (error: unknown) => {
      if (error === undefined || error === null) resolve();
      else reject(error);
    };
    fn(context, done);
  });
}

async function attempt(node: TestNode, action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    node.fail(error);
  }
}

async function runTest(node: TestNode, context: unknown): Promise<void> {
  await attempt(node, async () => {
    for (const one of ancestors(node)) await runHooks(one, "beforeEach", context);
    if (node.fn !== undefined) await call(node.fn, context);
    await node.pending;
  });
  await attempt(node, async () => {
    for (const one of [...ancestors(node)].reverse()) await runHooks(one, "afterEach", context);
    await runHooks(node, "after", context);
  });
}

async function runSuite(
  node: TestNode,
  contextOf: (node: TestNode) => unknown,
): Promise<void> {
  const context = contextOf(node);
  await attempt(node, async () => {
    await runHooks(node, "before", context);
    for (const child of node.children) await runNode(child, contextOf);
  });
  await attempt(node, () => runHooks(node, "after", context));
}

/** Runs a test or a suite, and what is below it; never rejects. */
export async function runNode(
  node: TestNode,
  contextOf: (node: TestNode) => unknown,
): Promise<void> {
  const started = performance.now();
  const isEmpty = isSet(node.skip) || node.fn === undefined;
  if (!isEmpty) {
    await (node.isSuite ? runSuite(node, contextOf) : runTest(node, contextOf(node)));
  }
  node.durationMs = performance.now() - started;
}
