/**
 * Programs that show whether globals and files agree: each run adds its id to a list among the
 * globals and to a file, and reports the list's length and whether both were equal before.
 *
 * A large run also replaces three files of 1 MiB and 2 MiB of globals, all marked with its id and
 * filled with bytes that cannot be compressed.
 *
 * @module
 */

/** Languages with contexts. */
export type GuestLanguage = "javascript" | "python" | "perl" | "ruby";

/** All of them. */
export const GUEST_LANGUAGES: readonly GuestLanguage[] = ["javascript", "python", "perl", "ruby"];

/** The report of a run. */
export interface GuestReport {
  /** Length of the list, this run included. */
  readonly n: number;
  /** Globals and files were alike before this run; 1 or true. */
  readonly same: boolean | number;
  /** Whether a large run was there before it. */
  readonly large: boolean | number;
}

/** Bytes of each large file. */
export const LARGE_FILE_BYTES = 1 << 20;
const LARGE_FILES = 3;

/** Name of the file in which a context keeps its list, below `/workspace`. */
export function listFile(name: string): string {
  return `seen-${name}.txt`;
}

/** The program of one run. `name` distinguishes contexts of one sandbox; `id`: 8 hex digits. */
export function guestProgram(
  language: GuestLanguage,
  run: { readonly name: string; readonly id: string; readonly large: boolean },
): string {
  return PROGRAMS[language]
    .replaceAll("NAME", run.name)
    .replaceAll("RUN_ID", run.id)
    .replaceAll("LARGE", run.large ? "1" : "0");
}

const JAVASCRIPT = `(() => {
  const fs = require("fs");
  const file = "seen-NAME.txt";
  const big = (i) => "large-NAME-" + i;
  const list = globalThis.seen ?? [];
  const ballast = globalThis.ballast;
  const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
  let same = text === list.map((id) => id + "\\n").join("");
  if (ballast) {
    const mark = String.fromCharCode(...ballast.slice(0, 8));
    if (mark !== String.fromCharCode(...ballast.slice(-8))) same = false;
    for (let i = 0; i < ${LARGE_FILES}; i++) {
      const bytes = fs.readFileSync(big(i));
      if (bytes.length !== ${LARGE_FILE_BYTES}) same = false;
      if (String.fromCharCode(...bytes.slice(0, 8)) !== mark) same = false;
      if (String.fromCharCode(...bytes.slice(-8)) !== mark) same = false;
    }
  } else if (fs.existsSync(big(0))) same = false;
  if (LARGE) {
    const words = new Uint32Array(16384);
    let word = parseInt("RUN_ID", 16);
    for (let i = 0; i < words.length; i++) words[i] = word = (Math.imul(word, 1664525) + 1013904223) >>> 0;
    const unit = new Uint8Array(words.buffer);
    const filled = (length) => {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; at += unit.length) bytes.set(unit, at);
      for (let i = 0; i < 8; i++) bytes[i] = bytes[length - 8 + i] = "RUN_ID".charCodeAt(i);
      return bytes;
    };
    globalThis.ballast = filled(2097152);
    for (let i = 0; i < ${LARGE_FILES}; i++) fs.writeFileSync(big(i), filled(${LARGE_FILE_BYTES}));
  }
  globalThis.seen = list;
  list.push("RUN_ID");
  fs.appendFileSync(file, "RUN_ID\\n");
  return { n: list.length, same, large: Boolean(ballast) };
})()`;

const PYTHON = `
import os, random
def _run():
    global seen, ballast
    file = "seen-NAME.txt"
    big = lambda i: "large-NAME-%d" % i
    seen = globals().get("seen", [])
    before = globals().get("ballast")
    text = open(file).read() if os.path.exists(file) else ""
    same = text == "".join(id + "\\n" for id in seen)
    if before is not None:
        mark = before[:8]
        same = same and before[-8:] == mark
        for i in range(${LARGE_FILES}):
            data = open(big(i), "rb").read()
            same = same and len(data) == ${LARGE_FILE_BYTES} and data[:8] == data[-8:] == mark
    elif os.path.exists(big(0)):
        same = False
    if LARGE:
        unit = random.Random("RUN_ID").randbytes(65536)
        def filled(length):
            return b"RUN_ID" + (unit * (length // 65536))[8:-8] + b"RUN_ID"
        ballast = filled(2097152)
        for i in range(${LARGE_FILES}):
            with open(big(i), "wb") as out:
                out.write(filled(${LARGE_FILE_BYTES}))
    seen.append("RUN_ID")
    with open(file, "a") as out:
        out.write("RUN_ID\\n")
    return {"n": len(seen), "same": bool(same), "large": before is not None}
_run()
`;

const PERL = `
our @seen; our $ballast;
sub _slurp { my ($name) = @_; open(my $in, '<:raw', $name) or return undef; local $/; my $data = <$in>; close $in; return $data // '' }
sub _filled { my ($unit, $length) = @_; my $data = $unit x ($length / 65536); substr($data, 0, 8) = 'RUN_ID'; substr($data, -8) = 'RUN_ID'; return $data }
sub _run {
  my $file = 'seen-NAME.txt';
  my $same = (_slurp($file) // '') eq join('', map { "$_\\n" } @seen) ? 1 : 0;
  my $large = defined $ballast ? 1 : 0;
  if ($large) {
    my $mark = substr($ballast, 0, 8);
    $same = 0 if substr($ballast, -8) ne $mark;
    for my $i (0 .. ${LARGE_FILES - 1}) {
      my $data = _slurp("large-NAME-$i") // '';
      $same = 0 if length($data) != ${LARGE_FILE_BYTES} || substr($data, 0, 8) ne $mark || substr($data, -8) ne $mark;
    }
  } elsif (-e 'large-NAME-0') { $same = 0 }
  if (LARGE) {
    srand(hex('RUN_ID'));
    my $unit = pack('L*', map { int(rand(4294967295)) } 1 .. 16384);
    $ballast = _filled($unit, 2097152);
    for my $i (0 .. ${LARGE_FILES - 1}) {
      open(my $out, '>:raw', "large-NAME-$i") or die $!;
      print $out _filled($unit, ${LARGE_FILE_BYTES});
      close $out or die $!;
    }
  }
  push @seen, 'RUN_ID';
  open(my $out, '>>', $file) or die $!;
  print $out "RUN_ID\\n";
  close $out or die $!;
  return { n => scalar(@seen), same => $same, large => $large };
}
_run();
`;

const RUBY = `
$seen ||= []
file = "seen-NAME.txt"
same = (File.exist?(file) ? File.read(file) : "") == $seen.map { |id| "#{id}\\n" }.join
large = !$ballast.nil?
if large
  mark = $ballast[0, 8]
  same &&= $ballast[-8..] == mark
  ${LARGE_FILES}.times do |i|
    data = File.binread("large-NAME-#{i}")
    same &&= data.bytesize == ${LARGE_FILE_BYTES} && data[0, 8] == mark && data[-8..] == mark
  end
elsif File.exist?("large-NAME-0")
  same = false
end
if LARGE == 1
  unit = Random.new("RUN_ID".hex).bytes(65_536)
  filled = ->(length) { "RUN_ID".b + (unit * (length / 65_536))[8...-8] + "RUN_ID".b }
  $ballast = filled.(2_097_152)
  ${LARGE_FILES}.times { |i| File.binwrite("large-NAME-#{i}", filled.(${LARGE_FILE_BYTES})) }
end
$seen << "RUN_ID"
File.write(file, "RUN_ID\\n", mode: "a")
{ n: $seen.size, same:, large: }
`;

const PROGRAMS: Readonly<Record<GuestLanguage, string>> = {
  javascript: JAVASCRIPT,
  python: PYTHON,
  perl: PERL,
  ruby: RUBY,
};
