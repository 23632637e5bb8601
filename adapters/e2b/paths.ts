/**
 * Paths of E2B, whose home is `/home/user`, and paths of the workspace.
 *
 * @module
 */
import { WORKSPACE } from "../../client/protocol/paths.ts";

const HOME = "/home/user";

/** The workspace's path for one of E2B. Others stay as they are, and are refused by the service. */
export function workspacePath(path: string): string {
  if (path === HOME) return WORKSPACE;
  if (path.startsWith(`${HOME}/`)) return WORKSPACE + path.slice(HOME.length);
  return path;
}

/** The workspace's absolute path for a path of E2B, which may be relative to its home. */
export function absolutePath(path: string): string {
  return path.startsWith("/") ? workspacePath(path) : `${WORKSPACE}/${path}`;
}

/** E2B's path for one of the workspace. */
export function homePath(path: string): string {
  return path.startsWith(WORKSPACE) ? HOME + path.slice(WORKSPACE.length) : path;
}
