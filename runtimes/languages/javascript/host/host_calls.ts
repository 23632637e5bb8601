/**
 * The guest environment's access to the host: one function, with text and bytes in, and text or
 * bytes out. Every argument is untrusted.
 *
 * @module
 */
import type { LimitName } from "../../../engine/engine.ts";
import { hasTooManyValues, readDisplay } from "../../../../shared/display.ts";
import { DISPLAYS, type Stream } from "../../../files/devices.ts";
import { MAX_CALL_LINE_BYTES, obeyLine } from "../../../engine/call_lines.ts";
import type { ProgramCalls } from "../../../engine/program_calls.ts";
import type { RunClock } from "../../../engine/clock.ts";

/** A reply of the host; undefined stays undefined in the guest. Text must hold no NUL. */
export type HostReply = string | Uint8Array<ArrayBuffer> | undefined;

/** A service behind the host function, with the fuel that a call costs. */
export interface HostService {
  /** Fuel for a request of the given number of bytes. */
  fuel(requestBytes: number): number;
  call(request: string, bytes: Uint8Array<ArrayBuffer> | undefined): HostReply;
  /**
   * Fuel for the work that calls did since this was last called, beyond moving request and reply.
   */
  workFuel(): number;
}

/**
 * A service whose price depends on the request: it charges before each part of its work, and skips
 * what the run cannot pay for.
 */
export interface PaidService {
  serve(args: HostArguments, pay: (units: number) => boolean): HostReply;
}

/** Services that live as long as the engine. */
export interface HostServices {
  readonly hashes: PaidService;
  readonly ciphers: PaidService;
  readonly texts: PaidService;
  readonly intl: HostService;
  readonly files: HostService;
  readonly modules: HostService;
  /** The source of the globals that the guest loads on demand. */
  readonly onDemand: string;
  /** Fills with secure random bytes. */
  random(target: Uint8Array<ArrayBuffer>): void;
}

/** The effects that a host call may have on its run. */
export interface RunControl {
  readonly clock: RunClock;
  write(stream: Stream, bytes: Uint8Array<ArrayBuffer>): void;
  readonly wallMs: number;
  /** Limit of the displays of the run, in bytes. */
  readonly displayBytes: number;
  /** The calls of the program; undefined when it can make none. */
  readonly calls?: ProgramCalls | undefined;
  /** Whether the run continues: it had enough fuel, and nothing else stopped it. */
  charge(units: number): boolean;
  /** Ends the run at the next fuel check. */
  stop(limit: LimitName): void;
  /** Ends the run as by `process.exit`. */
  exit(status: number): void;
}

/** The arguments of a call, read on demand. */
export interface HostArguments {
  readonly count: number;
  text(index: number): string;
  /** Text as UTF-8. */
  utf8(index: number): Uint8Array<ArrayBuffer>;
  bytes(index: number): Uint8Array<ArrayBuffer> | undefined;
  /** Bytes, or text as UTF-8; empty if the argument is neither. */
  data(index: number): Uint8Array<ArrayBuffer>;
}

/**
 * Fuel for any call, charged by the receiver, and for each byte that it moves. Each crossing takes
 * 1 to 2 µs.
 */
export const CALL_FUEL = 25_000;
const BYTE_FUEL_SHIFT = 2;
/**
 * Fuel for a piece of data, which takes 0.5 µs, and for each of its bytes: 0.4 ns when there are
 * many.
 */
const DATA_FUEL = 6_000;
const DATA_BYTE_FUEL = 6;
/**
 * Fuel for a write: it sends a frame through the pipe to the parent, which takes about 10 µs in
 * all.
 */
const WRITE_FUEL = 100_000;
/**
 * Fuel for a byte of a display: its JSON is parsed here, when it is collected, and in the parent.
 */
const DISPLAY_BYTE_FUEL = 1_000;
/** Fuel for a line about calls: a part of a round trip to the parent process, about 100 µs. */
const CALL_LINE_FUEL = 1_000_000;
/** Fuel for a byte of it: its JSON is parsed here and in the parent process. */
const CALL_BYTE_FUEL = 24;
/** Fuel for a random byte: the generator makes about one per nanosecond. */
const RANDOM_BYTE_FUEL = 12;
const RANDOM_FUEL = 10_000;
const MAX_RANDOM_BYTES = 65_536;
/** More fuel than any run has. */
const MAX_CHARGE = Number.MAX_SAFE_INTEGER;

function write(run: RunControl, stream: Stream, data: Uint8Array<ArrayBuffer>): void {
  run.charge(WRITE_FUEL + (data.length >> BYTE_FUEL_SHIFT));
  run.write(stream, data);
}

/** Refuses an invalid display. A display over the limit is not an error of the guest. */
function show(run: RunControl, data: Uint8Array<ArrayBuffer>): HostReply {
  run.charge(WRITE_FUEL + data.length * DISPLAY_BYTE_FUEL);
  if (
    data.length <= run.displayBytes && readDisplay(data) === undefined && !hasTooManyValues(data)
  ) {
    return "no display";
  }
  run.write(DISPLAYS, data);
  return undefined;
}

function advance(run: RunControl, ms: number): void {
  run.clock.sleep(ms);
  if (run.clock.skipped > run.wallMs) run.stop("wall clock");
}

/** Does what a line about calls says. The reply is the next line to read; undefined: refused. */
function obey(run: RunControl, line: Uint8Array<ArrayBuffer>): HostReply {
  run.charge(CALL_LINE_FUEL + line.length * CALL_BYTE_FUEL);
  if (run.calls === undefined || line.length > MAX_CALL_LINE_BYTES) return undefined;
  const { isRefused, reply = "" } = obeyLine(run.calls, line);
  run.charge(reply.length * CALL_BYTE_FUEL);
  return isRefused ? undefined : reply;
}

function randomBytes(
  run: RunControl,
  services: HostServices,
  wanted: number,
): Uint8Array<ArrayBuffer> {
  const count = Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, MAX_RANDOM_BYTES) : 0;
  run.charge(RANDOM_FUEL + count * RANDOM_BYTE_FUEL);
  const bytes = new Uint8Array(count);
  services.random(bytes);
  return bytes;
}

function serve(run: RunControl, service: HostService, args: HostArguments): HostReply {
  const request = args.text(1);
  const bytes = args.bytes(2);
  run.charge(service.fuel(request.length + (bytes?.length ?? 0)));
  const reply = service.call(request, bytes);
  run.charge(service.workFuel());
  run.charge((reply?.length ?? 0) >> BYTE_FUEL_SHIFT);
  return reply;
}

/**
 * Moving data has its own price besides the service's: a refused request has moved its data too.
 */
function servePaid(run: RunControl, service: PaidService, args: HostArguments): HostReply {
  const { count } = args;
  const data = (index: number) => {
    const bytes = args.data(index);
    if (index < count) run.charge(DATA_FUEL + bytes.length * DATA_BYTE_FUEL);
    return bytes;
  };
  const priced = { count, data, text: args.text, utf8: args.utf8, bytes: args.bytes };
  return service.serve(priced, (units) => run.charge(Math.min(units, MAX_CHARGE)));
}

function onDemand(run: RunControl, { onDemand }: HostServices): HostReply {
  return run.charge(onDemand.length >> BYTE_FUEL_SHIFT) ? onDemand : undefined;
}

/**
 * Answers one call, whose crossing is already paid. An operation that is not listed here does
 * nothing.
 */
export function answerHostCall(
  operation: string,
  services: HostServices,
  run: RunControl,
  args: HostArguments,
): HostReply {
  switch (operation) {
    case "out":
      return void write(run, 1, args.utf8(1));
    case "err":
      return void write(run, 2, args.utf8(1));
    case "display":
      return show(run, args.data(1));
    case "call":
      return obey(run, args.utf8(1));
    case "exit":
      return void run.exit(Number(args.text(1)) | 0);
    case "advance":
      return void advance(run, Number(args.text(1)));
    case "random":
      return randomBytes(run, services, Number(args.text(1)));
    case "encode":
      return args.utf8(1);
    case "intl":
      return serve(run, services.intl, args);
    case "fs":
      return serve(run, services.files, args);
    case "hash":
      return servePaid(run, services.hashes, args);
    case "cipher":
      return servePaid(run, services.ciphers, args);
    case "text":
      return servePaid(run, services.texts, args);
    case "module":
      return serve(run, services.modules, args);
    case "demand":
      return onDemand(run, services);
    default:
      return undefined;
  }
}
