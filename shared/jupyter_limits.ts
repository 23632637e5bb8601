/**
 * Limits of `/jupyter` (docs/jupyter.md#limits).
 *
 * @module
 */

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Limits of `/jupyter`: the bytes of a request and of a message (a program of escapes takes six times its
 * length), the open sockets of a tenant in one process, the bytes that a client may leave unread, the
 * messages of one kernel that wait for their turn, their bytes, and the bytes of a session's labels.
 */
export const JUPYTER_LIMITS = {
  requestBytes: MIB,
  socketsPerTenant: 64,
  unreadBytes: 16 * MIB,
  queuedMessages: 256,
  queuedBytes: 8 * MIB,
  labelBytes: 4 * KIB,
} as const;
