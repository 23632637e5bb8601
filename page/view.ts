/**
 * A view fills the page below its header.
 *
 * @module
 */
import type { Service } from "./service.ts";

/** The contents below the header. */
export interface View {
  readonly element: HTMLElement;
  readonly title: string;
  /** Whether a run is in progress. */
  readonly isRunning: boolean;
  /** Puts the cursor where work begins. */
  focus(): void;
  /** It is shown again. */
  onShown?(): void;
  /** Ends the run in progress. */
  destroy(): void;
}

/** Options of a view. */
export interface ViewOptions {
  readonly service: Service;
  /** Shows another place. */
  readonly go: (fragment: string) => void;
  /** The token does not suffice. */
  readonly onTokenFailure: () => void;
  /** Called when the subject of the view is deleted. */
  readonly onGone?: () => void;
  /** Says something that the reader should see. */
  readonly tell: (text: string, kind?: "note" | "problem") => void;
}
