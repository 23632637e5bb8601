const graph = { A: { B: 4, C: 2 }, B: { D: 5 }, C: { B: 1, D: 8, E: 10 }, D: { E: 2, F: 6 }, E: { F: 3 }, F: {} };
function bfs(g, start) {
  const seen = new Set([start]), queue = [start], order = [];
  while (queue.length) { const n = queue.shift(); order.push(n); for (const m of Object.keys(g[n])) if (!seen.has(m)) { seen.add(m); queue.push(m); } }
  return order;
}
const dfs = (g, n, seen = new Set()) => { if (seen.has(n)) return []; seen.add(n); return [n, ...Object.keys(g[n]).flatMap((m) => dfs(g, m, seen))]; };
function dijkstra(g, from) {
  const dist = Object.fromEntries(Object.keys(g).map((k) => [k, Infinity])), prev = {}, todo = new Set(Object.keys(g));
  dist[from] = 0;
  while (todo.size) {
    const u = [...todo].reduce((a, b) => (dist[a] <= dist[b] ? a : b));
    todo.delete(u);
    for (const [v, w] of Object.entries(g[u])) if (dist[u] + w < dist[v]) { dist[v] = dist[u] + w; prev[v] = u; }
  }
  return { dist, prev };
}
console.log(bfs(graph, "A"), dfs(graph, "A"));
const { dist, prev } = dijkstra(graph, "A");
console.log(dist, prev);
const path = []; for (let n = "F"; n; n = prev[n]) path.unshift(n);
console.log(path.join(" → "), dijkstra(graph, "F").dist);
const deps = { app: ["db", "log"], db: ["log", "net"], net: [], log: ["fmt"], fmt: [] };
function topo(d) {
  const out = [], state = new Map();
  const visit = (n, trail) => {
    if (state.get(n) === "done") return;
    if (state.get(n) === "busy") throw new Error(`cycle: ${[...trail, n].join(" -> ")}`);
    state.set(n, "busy"); d[n].forEach((m) => visit(m, [...trail, n])); state.set(n, "done"); out.push(n);
  };
  Object.keys(d).forEach((n) => visit(n, []));
  return out;
}
console.log(topo(deps));
try { topo({ a: ["b"], b: ["c"], c: ["a"] }); } catch ({ message }) { console.log(message); }
const grid = ["S.#.", "..#.", "...E"].map((r) => [...r]);
const key = ([r, c]) => `${r},${c}`;
const q = [[0, 0, 0]], visited = new Set(["0,0"]);
let steps = -1;
while (q.length) { const [r, c, d] = q.shift(); if (grid[r][c] === "E") { steps = d; break; } for (const [dr, dc] of [[0, 1], [1, 0], [0, -1], [-1, 0]]) { const p = [r + dr, c + dc]; if (grid[p[0]]?.[p[1]] && grid[p[0]][p[1]] !== "#" && !visited.has(key(p))) { visited.add(key(p)); q.push([...p, d + 1]); } } }
console.log("steps:", steps, visited);
