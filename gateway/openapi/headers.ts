/**
 * Headers of answers, as components of the document.
 *
 * @module
 */

/** The headers, by the names of their components. */
export const HEADER_COMPONENTS = {
  AcceptRanges: {
    description: "`Range` can request a part of the file.",
    required: true,
    schema: { type: "string" },
    example: "bytes",
  },
  Allow: {
    description: "The methods of the path.",
    required: true,
    schema: { type: "string" },
    example: "POST, OPTIONS",
  },
  ContentSecurityPolicy: {
    description: "Lets the page load nothing and run nothing.",
    required: true,
    schema: { type: "string" },
  },
  ContentDisposition: {
    description: "A browser saves the file under its name, and never shows it.",
    required: true,
    schema: { type: "string" },
    example: 'attachment; filename="report.pdf"',
  },
  ContentRange: {
    description: "The range of bytes, and the size of the file.",
    required: true,
    schema: { type: "string" },
    example: "bytes 0-99/1000",
  },
  ETag: {
    description: "The hash of the contents.",
    required: true,
    schema: { type: "string" },
    example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"',
  },
  LastModified: {
    description: "When the file was written.",
    schema: { type: "string" },
    example: "Sat, 31 Jan 2026 09:30:00 GMT",
  },
  KeptRange: {
    description: "The bytes of an unfinished upload that are there; absent when there are none.",
    schema: { type: "string" },
    example: "bytes=0-999999",
  },
  IdempotencyReplayed: {
    description:
      "The answer is that of the first run with this `Idempotency-Key`. Nothing was run.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  RunLocation: {
    description: "The path of the run.",
    required: true,
    schema: { type: "string" },
    example: "/runs/rtbqt2o2ki7d1a0c3e5f7b9d2a4c6e",
  },
  RetryAfter: {
    description: "Seconds to wait before trying again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
  SandboxRoute: {
    description:
      "A hash of the sandbox's name, on errors too: a proxy that sends requests with the same " +
      "value to the same service makes runs faster.",
    required: true,
    schema: { type: "string", pattern: "^[0-9a-f]{16}$" },
    example: "fdee430d40bd57de",
  },
  ServerTiming: {
    description: "Milliseconds of waiting, of restoring the baseline or the state, and of the run.",
    schema: { type: "string" },
    example: "queue;dur=0.011, reset;dur=0.208, run;dur=0.420",
  },
  WwwAuthenticate: {
    description: "The scheme to use, and what is wrong with the token.",
    required: true,
    schema: { type: "string" },
    example: 'Bearer realm="belljar"',
  },
} as const;

/** References to headers: from names of headers to names of components. */
export function headerObjects(
  names: { readonly [name: string]: string },
): { readonly [name: string]: { readonly $ref: string } } {
  const entries = Object.entries(names);
  return Object.fromEntries(
    entries.map(([name, component]) => [name, { $ref: `#/components/headers/${component}` }]),
  );
}
