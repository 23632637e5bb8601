/**
 * The files of the page, as the build makes them and the gateway serves them.
 *
 * @module
 */

/** One file of the page. */
export interface PageFile {
  /** Its path without the first slash; empty for the page itself. */
  readonly path: string;
  /** Its media type. */
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes, compressed. */
  readonly gzip: Uint8Array<ArrayBuffer>;
}
