const parse = (s) => new Set(s.trim().split("\n").flatMap((row, y) => [...row].flatMap((c, x) => (c === "#" ? [`${x},${y}`] : []))));
function step(cells) {
  const counts = new Map();
  for (const cell of cells) {
    const [x, y] = cell.split(",").map(Number);
    for (let dx = -1; dx <= 1; dx++) for (let dy = -1; dy <= 1; dy++) if (dx || dy) { const k = `${x + dx},${y + dy}`; counts.set(k, (counts.get(k) ?? 0) + 1); }
  }
  return new Set([...counts].filter(([k, n]) => n === 3 || (n === 2 && cells.has(k))).map(([k]) => k));
}
const draw = (cells, w, h) => Array.from({ length: h }, (_, y) => Array.from({ length: w }, (_, x) => (cells.has(`${x},${y}`) ? "█" : "·")).join("")).join("\n");
let cells = parse(".#...\n..#..\n###..");
for (let g = 0; g < 4; g++) { console.log(`generation ${g}: ${cells.size} cells`); console.log(draw(cells, 6, 5)); cells = step(cells); }
console.log(cells);
const blinker = parse(".....\n..#..\n..#..\n..#..");
console.log([...step(blinker)].sort(), [...step(step(blinker))].sort().join(" ") === [...blinker].sort().join(" "));
const rule = (n) => (row) => [...row].map((_, i, a) => (n >> parseInt((a[i - 1] ?? 0) + "" + a[i] + (a[i + 1] ?? 0), 2)) & 1);
let row = Array(31).fill(0).with(15, 1); const rule90 = rule(90);
for (let i = 0; i < 8; i++) { console.log(row.map((c) => (c ? "▲" : " ")).join("").trimEnd()); row = rule90(row); }
const mandel = (cx, cy) => { let x = 0, y = 0, n = 0; while (x * x + y * y < 4 && n < 50) { [x, y] = [x * x - y * y + cx, 2 * x * y + cy]; n++; } return " .:-=+*#%@"[Math.floor((n / 50) * 9)]; };
for (let y = -1; y <= 1; y += 0.25) { let s = ""; for (let x = -2; x <= 0.6; x += 0.065) s += mandel(x, y); console.log(s.trimEnd()); }
