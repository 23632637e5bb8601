/**
 * Limits of outgoing requests.
 *
 * @module
 */

/** Connections to one target at a time. */
export const MAX_CONNECTIONS = 16;
/** Requests to one target at a time, with those that wait for a connection. */
export const MAX_REQUESTS = 64;
/** Targets whose connections are kept. */
export const MAX_TARGETS = 256;
/** Addresses of one name. */
export const MAX_ADDRESSES = 64;
/** Bytes of the head of an answer. */
export const MAX_HEAD_BYTES = 16 * 1024;
/** Time to connect, with the look-up of the name and the handshake, in milliseconds. */
export const CONNECT_MS = 5_000;
/** Connections without a request are closed after so long, in milliseconds. */
export const IDLE_MS = 4_000;
/** So many failures to connect, one after the other, open the circuit of a target. */
export const CIRCUIT_FAILURES = 5;
/** An open circuit refuses requests for so long, in milliseconds. */
export const CIRCUIT_OPEN_MS = 10_000;
