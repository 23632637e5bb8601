/**
 * Makes the Perl engine's baseline image: an interpreter with the driver and the modules that
 * common programs use, before any guest code runs. A boot gives the same bytes in every process,
 * because clocks stand still and random bytes are fixed, and therefore the order of hash keys too.
 *
 * @module
 */
import { BootError } from "../../../engine/boot_error.ts";
import { STOPPED_TIME } from "../../../engine/clock.ts";
import { WORKSPACE } from "../../../../client/protocol/paths.ts";
import { captureRanges, type MemoryImage } from "../../../engine/image.ts";
import type { LibraryFile } from "../../../engine/packed_library.ts";
import { usedSpans } from "../../../engine/used_spans.ts";
import { WasiHost } from "../../../files/wasi/host.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { UNLIMITED_FUEL } from "../../../engine/fuel.ts";
import {
  DRIVER_NAME,
  FIRST_DESCRIPTOR,
  type ImageHead,
  MODULE_STACK_BYTES,
} from "../host/instance.ts";
import { takeEmbeddedFiles } from "./embedded_files.ts";
import { findLayout, shareBlocks } from "../host/layout.ts";
import { errorNumbers, putErrorTables } from "./error_tables.ts";
import { HostFunctions } from "../host/host_functions.ts";
import { makeMethodOrders } from "../host/method_orders.ts";
import type { PackedZones } from "./pack_zones.ts";
import { ZeroPerl, ZeroPerlAbiError } from "../host/zeroperl.ts";

/** The library's modes: block and character device, directory, file, sockets, link. */
const KINDS = [0o060000, 0o020000, 0o040000, 0o100000, 0o140000, 0o140000, 0o120000];
/** The permissions of each kind for its owner, its group and others. */
const PERMISSIONS = [0o660, 0o666, 0o755, 0o644, 0o755, 0o755, 0o777];

/**
 * Adds permissions to the table by which the C library converts the kind of a file to a mode: everything
 * can be read and written, and only directories can be executed.
 */
function putFileModes(perl: ZeroPerl): void {
  const words = new Uint32Array(perl.bytes.buffer);
  const [first = 0] = KINDS;
  const places: number[] = [];
  for (let at = words.indexOf(first); at >= 0; at = words.indexOf(first, at + 1)) {
    if (KINDS.every((mode, index) => words[at + index] === mode)) places.push(at);
  }
  const [place] = places;
  if (place === undefined || places.length > 1) {
    throw new ZeroPerlAbiError(`${places.length} tables of file modes`);
  }
  KINDS.forEach((mode, index) => words[place + index] = mode | (PERMISSIONS[index] ?? 0));
}

/** A file of Perl. */
export interface PerlSource {
  /** As in %INC: `List/Util.pm`. */
  readonly name: string;
  readonly text: string;
}

/** The files that are loaded into the image. */
export interface BootSources {
  /** The files of the driver, in the order in which they are loaded. */
  readonly driver: readonly string[];
  /** This project's modules, in loading order. */
  readonly modules: readonly PerlSource[];
  /** Packed time zones. */
  readonly zones: PackedZones;
}

/**
 * Bytes at the end of the heap that are free at the start of a run. Most programs need no more, and
 * every reset compares them.
 */
const SPARE_BYTES = 1024 * 1024;
const RANDOM_BYTE = 0x5a;
/** A part of the paths of all files that no guest sees. */
const UNWANTED = "/Image/ExifTool";
/** The apparent directory of this project's modules. */
const LIBRARY = "/belljar/lib";

/** Modules that come with Perl and that programs often use: loaded once, for all runs. */
const PRELOADED = (
  "strict warnings utf8 feature overload constant parent base " +
  "lib vars integer bytes experimental Carp Exporter Symbol " +
  "Errno Fcntl Scalar::Util List::Util Sub::Util Hash::Util Time::HiRes Time::Local " +
  "Time::Piece Data::Dumper IO::Handle IO::File File::Spec File::Basename File::Path File::Temp " +
  "File::Find File::Copy Cwd Getopt::Long Getopt::Std Text::Wrap Text::ParseWords Text::Abbrev " +
  "Term::ANSIColor Tie::Hash Tie::Array Tie::Scalar Class::Struct Memoize Benchmark JSON::PP " +
  "Encode PerlIO::scalar PerlIO::encoding MIME::Base64 Digest::MD5 Digest::SHA Unicode::Normalize Math::Trig " +
  "Math::Complex Math::BigInt Math::BigFloat bigint"
).split(" ");

function evaluate(perl: ZeroPerl, code: string): void {
  if (!perl.evaluate(code)) throw new BootError(perl.lastError());
}

function loadSource(perl: ZeroPerl, source: string, name: string): void {
  const value = perl.newString(new TextEncoder().encode(`#line 1 "${name}"\n${source}`));
  perl.setVariable("Belljar::code", value);
  perl.release(value);
  evaluate(perl, "utf8::encode($Belljar::code); eval $Belljar::code; die $@ if $@");
}

/** Bytes that are passed in one call; freed memory stays in the image. */
const PORTION = 4_096;

/** Sets a variable to bytes. */
function setBytes(perl: ZeroPerl, name: string, bytes: Uint8Array): void {
  evaluate(perl, `$${name} = ''; vec($${name}, ${bytes.length - 1}, 8) = 0`);
  for (let at = 0; at < bytes.length; at += PORTION) {
    const portion = Array.from(
      bytes.subarray(at, at + PORTION),
      (byte) => String.fromCharCode(byte),
    );
    const value = perl.newString(new TextEncoder().encode(portion.join("")));
    perl.setVariable("Belljar::code", value);
    perl.release(value);
    const place = `substr($${name}, ${at}, ${portion.length})`;
    evaluate(perl, `utf8::downgrade($Belljar::code); ${place} = $Belljar::code`);
  }
}

/** Time::Piece calls Perl's own `localtime` by its full name. */
const PIECE = `{
  my ($path) = grep { -e } map { "$_/Time/Piece.pm" } @INC;
  open my $file, '<', $path or die $!;
  my $source = do { local $/; <$file> };
  close $file;
  $INC{'Time/Piece.pm'} = $path;
  $source =~ s/CORE::localtime/Belljar::local_time/g == 2 or die 'Time::Piece is another';
  eval qq(#line 1 "$path"\n$source) or die $@;
  Belljar::take_local_time();
}`;

/**
 * While the image is made, Perl finds this project's modules through a hook; later all of them are
 * loaded.
 */
const HOOK = `unshift @INC, sub {
  my $source = $Belljar::sources{$_[1]} // return;
  open my $file, '<', \\$source or die $!;
  return $file;
}`;

function loadModules(perl: ZeroPerl, sources: BootSources): void {
  for (const { name, text } of sources.modules) {
    const value = perl.newString(new TextEncoder().encode(`#line 1 "${LIBRARY}/${name}"\n${text}`));
    perl.setVariable("Belljar::code", value);
    perl.release(value);
    evaluate(perl, `utf8::encode($Belljar::code); $Belljar::sources{'${name}'} = $Belljar::code`);
  }
  evaluate(perl, HOOK);
  evaluate(perl, `$Belljar::errors = '${errorNumbers()}'`);
  for (const { name } of sources.modules) evaluate(perl, `require '${name}'`);
  evaluate(perl, PIECE);
  for (const name of PRELOADED) evaluate(perl, `require ${name}`);
  evaluate(
    perl,
    `shift @INC; $INC{$_} = "${LIBRARY}/$_" for keys %Belljar::sources; undef %Belljar::sources`,
  );
}

function clean(perl: ZeroPerl): void {
  evaluate(
    perl,
    `chdir '${WORKSPACE}'; push @INC, '${WORKSPACE}'; ` +
      "$| = 1; $@ = ''; $! = 0; $^O = 'linux'; $Carp::Internal{Belljar}++; " +
      "*CORE::GLOBAL::caller = \\&Belljar::visible_caller; undef $Belljar::code; %ENV = ()",
  );
  perl.call("free", perl.call("malloc", SPARE_BYTES));
  perl.bytes.fill(0, 0, MODULE_STACK_BYTES);
}

/** The results of a boot. */
export interface BootedPerl {
  readonly image: MemoryImage<ImageHead>;
  /** Perl's own library. */
  readonly library: readonly LibraryFile[];
}

/** Boots the metered module, its data included, and takes the image. */
export function bootPerl(module: WebAssembly.Module, sources: BootSources): BootedPerl {
  const host = new WasiHost({
    time: STOPPED_TIME,
    random: (into) => void into.fill(RANDOM_BYTE),
    charge: () => undefined,
    firstDescriptor: FIRST_DESCRIPTOR,
  });
  const perl = new ZeroPerl(module, host);
  perl.fuel.value = UNLIMITED_FUEL;
  const stackPointer = Number(perl.stackPointer.value);
  const embedded = takeEmbeddedFiles(perl);
  const library = embedded.filter(([path]) => !path.includes(UNWANTED));
  if (library.length === embedded.length) throw new BootError(`There is no ${UNWANTED}`);
  host.files.addReadOnly(library);
  perl.start();
  putErrorTables(perl);
  putFileModes(perl);
  const list = perl.call("zeroperl_new_array");
  const area = { from: stackPointer, to: list };
  const layout = findLayout(perl, area, "Belljar::seed");
  const orders = makeMethodOrders(perl, area);
  const functions = new HostFunctions(perl, orders);
  functions.register();
  shareBlocks(perl, area, list);
  for (const source of sources.driver) loadSource(perl, source, DRIVER_NAME);
  functions.setAlarmHandler("Belljar::alarm_handler");
  setBytes(perl, "Belljar::zone_index", new TextEncoder().encode(sources.zones.index));
  setBytes(perl, "Belljar::zone_records", sources.zones.records);
  loadModules(perl, sources);
  const outcome = perl.variable("Belljar::outcome");
  perl.view.setUint32(layout.endBlocks, 0, true); // END blocks of modules have nothing to do here
  clean(perl);
  const image: MemoryImage<ImageHead> = {
    head: {
      globals: Object.fromEntries([...perl.globals].map(([name, { value }]) => [name, value])),
      layout,
      orders,
      outcome,
      list,
    },
    pages: perl.bytes.length / WASM_PAGE_BYTES,
    ranges: captureRanges(perl.bytes, usedSpans(perl.bytes)),
  };
  return { image, library };
}
