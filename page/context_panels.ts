/**
 * The panels below the editor of a context: its variables and its notebook.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import { canLookInto, contextPath, contextVariables } from "./context_names.ts";
import type { CopiedContext } from "./copy_as.ts";
import { notebookPanel } from "./notebook_panel.ts";
import type { Service } from "./service.ts";

/** The panels; none without a context. `onUse` gets the program of a cell. */
export function contextPanels(
  service: Service,
  language: Language,
  context: CopiedContext | undefined,
  onUse: (code: string) => void,
): readonly HTMLElement[] {
  if (context === undefined) return [];
  const place = { service, path: contextPath(language, context.sandbox, context.contextId) };
  return [
    ...(canLookInto(language) ? [contextVariables(place)] : []),
    notebookPanel(place, onUse),
  ];
}
