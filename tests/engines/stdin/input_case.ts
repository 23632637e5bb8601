/** A program that reads standard input, and what it must write. */
export interface InputCase {
  /** How it reads. */
  readonly name: string;
  readonly code: string;
  readonly stdin: string;
  readonly stdout: string;
}
