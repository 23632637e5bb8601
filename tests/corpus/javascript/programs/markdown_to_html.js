const inline = (s) => s.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/`([^`]+)`/g, "<code>$1</code>").replace(/\*\*(.+?)\*\*/g, "<strong>$1</strong>").replace(/(?<!\*)\*(?!\*)(.+?)\*/g, "<em>$1</em>").replace(/!?\[([^\]]*)\]\(([^)\s]+)(?:\s+"([^"]*)")?\)/g, (m, t, u, title) => (m[0] === "!" ? `<img alt="${t}" src="${u}">` : `<a href="${u}"${title ? ` title="${title}"` : ""}>${t}</a>`));
function render(md) {
  const out = [];
  let list = null, code = null;
  const close = () => { if (list) { out.push(`</${list}>`); list = null; } };
  for (const line of md.split("\n")) {
    if (code) { if (line.startsWith("```")) { out.push(`<pre>${code.join("\n")}</pre>`); code = null; } else code.push(line); continue; }
    let m;
    if (line.startsWith("```")) { close(); code = []; }
    else if ((m = /^(#{1,6})\s+(.*)/.exec(line))) { close(); out.push(`<h${m[1].length}>${inline(m[2])}</h${m[1].length}>`); }
    else if ((m = /^(?:([-*])|\d+\.)\s+(.*)/.exec(line))) { const type = m[1] ? "ul" : "ol"; if (list !== type) { close(); out.push(`<${(list = type)}>`); } out.push(`  <li>${inline(m[2])}</li>`); }
    else if (/^\s*$/.test(line)) close();
    else if (/^---+$/.test(line)) { close(); out.push("<hr>"); }
    else { close(); out.push(`<p>${inline(line)}</p>`); }
  }
  close();
  return out.join("\n");
}
console.log(render(`# Title with *emphasis*
Some **bold** text, \`code < x\` and [a link](http://x.y "t").

- item **one**
- item two
1. first
2. second
---
![alt](img.png)
\`\`\`js
const x = 1;
\`\`\`
## End`));
const toc = (md) => [...md.matchAll(/^(#+)\s+(.+)$/gm)].map(([, h, t]) => `${"  ".repeat(h.length - 1)}- ${t}`).join("\n");
console.log(toc("# A\ntext\n## B\n### C\n## D"));
const template = (src) => new Function("data", "with (data) { return `" + src.replace(/\{\{\s*(.+?)\s*\}\}/g, "${$1}") + "`; }");
console.log(template("Hi {{ name.toUpperCase() }}, {{ items.length }} items: {{ items.map((i, n) => n + '.' + i).join(', ') }}")({ name: "bo", items: ["x", "y"] }));
