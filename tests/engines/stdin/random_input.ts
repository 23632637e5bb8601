import { seededBelow } from "../../support/random.ts";

/** Pieces that readers may take for something else than text. */
const PIECES = [
  ..."ab 0;\"\\'$",
  ...["\n", "\n\n", "\r\n", "\r", "\0", "\t", "\x04", "\x1a", "\x1b", "\x7f", "\x85", "\v", "\f"],
  ...[
    "\ufeff",
    "\u2028",
    "\u2029",
    "\ufffd",
    "\u0301",
    "é",
    "ß",
    "漢",
    "𝄞",
    "\u{1f469}\u200d\u{1f680}",
  ],
  ...["\u{10ffff}", "__END__", "EOF", "__DATA__", "%s", "line\n"],
];
/** Lengths around those of buffers. */
const LENGTHS = [0, 1, 2, 5, 40, 500, 4_095, 4_096, 8_191, 8_192, 8_193, 20_000];

/** Texts at random, the same for the same seed. */
export function randomInput(seed: number): () => string {
  const below = seededBelow(seed);
  return () => {
    const length = LENGTHS[below(LENGTHS.length)] ?? 0;
    let text = below(4) === 0 ? "\ufeff" : "";
    while (text.length < length) text += PIECES[below(PIECES.length)] ?? "";
    return text;
  };
}
