/**
 * Headers of answers, as components of the document.
 *
 * @module
 */

/** The headers, by the names of their components. */
export const HEADER_COMPONENTS = {
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
  IdempotencyReplayed: {
    description: "The answer is that of the first run with this `Idempotency-Key`; nothing ran.",
    schema: { type: "string", const: "true" },
    example: "true",
  },
  RetryAfter: {
    description: "Seconds to wait before trying again.",
    required: true,
    schema: { type: "integer", minimum: 1 },
    example: 1,
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
