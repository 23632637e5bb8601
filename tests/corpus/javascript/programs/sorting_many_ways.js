const people = [
  { name: "Zoë", age: 30, city: "Oslo" }, { name: "adam", age: 25, city: "Rome" },
  { name: "Bob", age: 30, city: "Bern" }, { name: "Åsa", age: 25, city: "Oslo" },
  { name: "bea", age: 35, city: "Rome" },
];
console.log([10, 9, 1, 100].sort(), [10, 9, 1, 100].sort((a, b) => a - b));
console.log(["b", undefined, "a", , "c"].sort());
console.log(people.map((p) => p.name).sort());
console.log(people.map((p) => p.name).sort((a, b) => a.localeCompare(b)));
const by = (...keys) => (a, b) => {
  for (const k of keys) {
    const desc = k.startsWith("-"), key = desc ? k.slice(1) : k;
    const c = typeof a[key] === "string" ? a[key].localeCompare(b[key]) : a[key] - b[key];
    if (c) return desc ? -c : c;
  }
  return 0;
};
console.log(people.toSorted(by("-age", "name")).map((p) => p.name + p.age).join(" "));
console.log(people.toSorted(by("city", "-name")).map((p) => `${p.city}/${p.name}`));
console.table(people.slice().sort(by("age", "name")), ["name", "age"]);
const stable = Array.from({ length: 40 }, (_, i) => ({ k: i % 3, i })).sort((a, b) => a.k - b.k);
console.log(stable.every((x, i, a) => !i || a[i - 1].k < x.k || a[i - 1].i < x.i));
console.log([3, 1, 2].toReversed(), [1, 2, 3].with(1, 99), [1, 2, 3, 4].toSpliced(1, 2, "x"));
console.log(["1", "10", "2"].sort((a, b) => a.localeCompare(b, undefined, { numeric: true })));
console.log([true, false, true].sort(), [[2, "b"], [1, "z"], [2, "a"]].sort());
function quicksort(a) { if (a.length < 2) return a; const [p, ...r] = a; return [...quicksort(r.filter((x) => x < p)), p, ...quicksort(r.filter((x) => x >= p))]; }
console.log(quicksort([5, 3, 8, 1, 9, 2, 7, 3]));
const merge = (a, b) => { const o = []; while (a.length && b.length) o.push(a[0] <= b[0] ? a.shift() : b.shift()); return [...o, ...a, ...b]; };
const msort = (a) => a.length < 2 ? a : merge(msort(a.slice(0, a.length >> 1)), msort(a.slice(a.length >> 1)));
console.log(msort([38, 27, 43, 3, 9, 82, 10]));
