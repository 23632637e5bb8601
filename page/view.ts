/**
 * A view fills the page below its header.
 *
 * @module
 */
import type { Service } from "./service.ts";

/** What is shown below the header. */
export interface View {
  readonly element: HTMLElement;
  readonly title: string;
  /** Whether a run is going on. */
  readonly isRunning: boolean;
  /** Puts the cursor where work begins. */
  focus(): void;
  /** It is shown again. */
  onShown?(): void;
  /** Ends what is going on. */
  destroy(): void;
}

/** What a view is made with. */
export interface ViewOptions {
  readonly service: Service;
  /** Shows another place. */
  readonly go: (fragment: string) => void;
  /** The token does not suffice. */
  readonly onTokenFailure: () => void;
  /** What the view shows is deleted. */
  readonly onGone?: () => void;
  /** Says something that the reader should see. */
  readonly tell: (text: string, kind?: "note" | "problem") => void;
}
