// sticky lexing, unicode escapes, property classes
const tokenRe = /\s*(?:(?<num>\d+(?:\.\d+)?)|(?<id>[A-Za-z_]\w*)|(?<op>[-+*/()=]))/y;
function lex(src) {
  const out = [];
  tokenRe.lastIndex = 0;
  while (tokenRe.lastIndex < src.length) {
    const at = tokenRe.lastIndex;
    const m = tokenRe.exec(src);
    if (!m) throw new SyntaxError(`Unexpected '${src[at]}' at ${at}`);
    const [type, text] = Object.entries(m.groups).find(([, v]) => v !== undefined);
    out.push({ type, text });
  }
  return out;
}
console.log(lex("rate = 3.14*(x1 + 2)"));
try {
  lex("a ? b");
} catch (e) {
  console.log(`${e}`);
}
console.log("naïve café – 42€".match(/\p{L}+/gu));
console.log("😀 grin 🎉".match(/\p{Emoji_Presentation}/gu), [..."😀a"].length, "😀a".length);
console.log(/^.$/u.test("😀"), /^.$/.test("😀"), "😀".codePointAt(0).toString(16), "\u{1F600}");
console.log("Straße".normalize("NFD").length, "é" === "e\u0301".normalize("NFC"));
console.log(/(?<year>\d{4})/d.exec("in 2024").indices.groups.year);
console.log(/a.c/s.test("a\nc"), /^b/m.test("a\nb"), /[\p{Lu}]/u.test("D"));
console.log("one  two\tthree".split(/\s+/), "camelCaseString".replace(/([A-Z])/g, (c) => "_" + c.toLowerCase()));
console.log(/foo/gi.flags, String(/a\/b/), new RegExp("[.*+]", "g"), RegExp("/").source);
console.log("aaa".lastIndexOf("a"), "abcabc".search(/c/), "aBc".replaceAll(/[a-z]/g, (x, i) => i));
