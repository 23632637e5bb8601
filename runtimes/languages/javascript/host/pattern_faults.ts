/**
 * V8's messages for regular expressions that QuickJS rejects. The guest environment words errors of
 * patterns that programs construct; the host words those of literals in a script.
 *
 * @module
 */

/** Why a pattern is rejected: QuickJS's words → V8's. */
export const PATTERN_FAULTS: Readonly<Record<string, string>> = {
  "expecting ')'": "Unterminated group",
  "expecting ']'": "Unterminated character class",
  "nothing to repeat": "Nothing to repeat",
  "invalid class range": "Range out of order in character class",
  "extraneous characters at the end": "Unmatched ')'",
  "invalid group": "Invalid group",
  "invalid group name": "Invalid capture group name",
  "expecting group name": "Invalid named reference",
  "group name not defined": "Invalid named capture referenced",
  "duplicate group name": "Duplicate capture group name",
  "invalid escape sequence in regular expression": "Invalid escape",
  "invalid repetition count": "numbers out of order in {} quantifier",
  "unexpected end of regexp": "Unterminated character class",
  "unexpected end": "Unterminated character class",
  "expecting '}'": "Incomplete quantifier",
  "expecting '{' after \\p": "Invalid property name",
  "unknown unicode property name": "Invalid property name",
  "unknown unicode property value": "Invalid property name",
  "unknown unicode general category": "Invalid property name",
  "back reference out of range in regular expression": "Invalid escape",
};

/** QuickJS's words for flags that it rejects. */
export const FLAGS_FAULT = "invalid regular expression flags";
