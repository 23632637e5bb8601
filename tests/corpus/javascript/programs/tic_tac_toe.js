const LINES = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];
const winner = (b) => LINES.map(([x, y, z]) => b[x] && b[x] === b[y] && b[y] === b[z] && b[x]).find(Boolean) ?? null;
const free = (b) => b.flatMap((c, i) => (c ? [] : [i]));
const show = (b) => [0, 3, 6].map((r) => b.slice(r, r + 3).map((c) => c ?? "·").join(" ")).join("\n");
let visited = 0;
const memo = new Map();
function minimax(b, player) {
  const key = b.map((c) => c ?? "-").join("") + player;
  if (memo.has(key)) return memo.get(key);
  visited++;
  const w = winner(b);
  if (w) return { score: w === "X" ? 1 : -1 };
  const moves = free(b);
  if (!moves.length) return { score: 0 };
  let best = null;
  for (const move of moves) {
    const next = b.with(move, player);
    const { score } = minimax(next, player === "X" ? "O" : "X");
    if (!best || (player === "X" ? score > best.score : score < best.score)) best = { move, score };
  }
  memo.set(key, best);
  return best;
}
let board = Array(9).fill(null), turn = "X";
console.log(board, show(board));
while (!winner(board) && free(board).length) { const { move, score } = minimax(board, turn); board = board.with(move, turn); console.log(`${turn} -> ${move} (${score})`); turn = turn === "X" ? "O" : "X"; }
console.log(show(board)); console.log("winner:", winner(board), "visited:", visited, "memo:", memo.size);
