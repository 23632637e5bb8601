const refused = [["("], [")"], ["["], ["a**"], ["*"], ["a{2,1}"], ["[b-a]"], ["\\"], ["(?<a"], ["(?<a>x)(?<a>y)"], ["\\k<b>", "u"], ["\\p{Foo}", "u"], ["a", "gg"], ["a", "x"], ["{1}", "u"], ["\\u{110000}", "u"], ["(?"], ["(?a)"], ["x{1", "u"], ["\\c", "u"], ["+"], ["a|*"], ["(?<1a>x)"], ["\\x", "u"], ["]", "u"], ["}", "u"]];
for (const [pattern, flags] of refused) {
  try {
    console.log(new RegExp(pattern, flags));
  } catch (error) {
    console.log(`${error.name}: ${error.message}`);
  }
}
function search(text, query) {
  try {
    return text.match(new RegExp(query, "gi")) ?? [];
  } catch (error) {
    return `bad query: ${error.message}`;
  }
}
console.log(search("a b A", "a"), search("a b A", "(a"), search("a", "z"));
try { "abc".replaceAll(/b/, ""); } catch (error) { console.log(error.message); }
