const groupBy = (items, fn) => items.reduce((acc, item, i) => {
  const key = fn(item, i);
  (acc[key] ??= []).push(item);
  return acc;
}, Object.create(null));
const orders = [
  { id: 1, customer: "ann", total: 20, status: "paid" }, { id: 2, customer: "bob", total: 35, status: "open" },
  { id: 3, customer: "ann", total: 15, status: "paid" }, { id: 4, customer: "cy", total: 99, status: "void" },
];
console.log(groupBy(orders, (o) => o.status));
const summary = Object.entries(groupBy(orders, (o) => o.customer)).map(([customer, list]) => ({
  customer, orders: list.length, total: list.reduce((s, o) => s + o.total, 0), ids: list.map((o) => o.id),
}));
console.log(summary);
console.table(summary);
const partition = (xs, p) => xs.reduce(([t, f], x) => (p(x) ? [[...t, x], f] : [t, [...f, x]]), [[], []]);
console.log(partition([1, 2, 3, 4, 5], (x) => x % 2 === 0));
const chunk = (xs, n) => xs.length ? [xs.slice(0, n), ...chunk(xs.slice(n), n)] : [];
console.log(chunk([1, 2, 3, 4, 5, 6, 7], 3));
const uniqBy = (xs, f) => [...new Map(xs.map((x) => [f(x), x])).values()];
console.log(uniqBy(orders, (o) => o.customer).map((o) => o.id));
const pick = (o, ...ks) => Object.fromEntries(ks.filter((k) => k in o).map((k) => [k, o[k]]));
const omit = ({ ...o }, ...ks) => { ks.forEach((k) => delete o[k]); return o; };
console.log(pick(orders[0], "id", "total", "zip"), omit(orders[0], "id"), orders[0]);
const range = (a, b, s = 1) => Array.from({ length: Math.ceil((b - a) / s) }, (_, i) => a + i * s);
console.log(range(0, 10, 3), range(5, 8), [..."abc"].entries().next(), Object.entries("hi"));
console.log([[1, [2, [3, [4]]]]].flat(Infinity), ["a b", "c"].flatMap((s) => s.split(" ")), [3, 4].findLast((x) => x > 9));
