// RFC 4180-style CSV parser with quotes, escaped quotes and embedded newlines.
function parse(text, delimiter = ",") {
  const rows = [];
  let row = [];
  let field = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === '"' && text[i + 1] === '"') { field += '"'; i++; }
      else if (c === '"') quoted = false;
      else field += c;
    } else if (c === '"') quoted = true;
    else if (c === delimiter) { row.push(field); field = ""; }
    else if (c === "\n") { row.push(field); rows.push(row); row = []; field = ""; }
    else if (c !== "\r") field += c;
  }
  if (field !== "" || row.length) { row.push(field); rows.push(row); }
  return rows;
}

function stringify(rows) {
  return rows
    .map((r) => r.map((f) => (/[",\n]/.test(f) ? `"${f.replace(/"/g, '""')}"` : f)).join(","))
    .join("\n");
}

const input = 'name,quote,tags\r\n"Smith, John","He said ""hi""","a,b"\n"multi\nline",plain,\n,"",x\n';
const parsed = parse(input);
console.log(parsed);
console.log("rows:", parsed.length, "columns:", new Set(parsed.map((r) => r.length)));
const output = stringify(parsed);
console.log(output);
console.log("round trip:", JSON.stringify(parse(output)) === JSON.stringify(parsed));
console.log(parse("a;b;c\n1;2;3", ";"));
