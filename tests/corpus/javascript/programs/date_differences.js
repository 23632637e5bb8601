// Durations and calendar arithmetic in UTC.
const DAY = 24 * 60 * 60 * 1000;
const start = new Date("2024-02-27T10:30:00Z");
const end = new Date(Date.UTC(2024, 2, 2, 8, 15, 30, 250));

function humanize(ms) {
  const parts = [];
  const units = [["d", DAY], ["h", 3600000], ["m", 60000], ["s", 1000], ["ms", 1]];
  for (const [label, size] of units) {
    const n = Math.floor(ms / size);
    ms %= size;
    if (n) parts.push(`${n}${label}`);
  }
  return parts.join(" ") || "0ms";
}

console.log(start.toISOString(), "->", end.toISOString());
console.log("difference:", humanize(end - start));
console.log("as JSON:", JSON.stringify({ start, end }));
console.log(start, [end]);
console.log(String(start));
console.log(start.toDateString(), "|", start.toTimeString(), "|", start.toUTCString());

const isLeap = (y) => new Date(Date.UTC(y, 1, 29)).getUTCMonth() === 1;
console.log([1900, 2000, 2023, 2024].map((y) => `${y}:${isLeap(y)}`).join(" "));

for (let i = 0; i < 5; i++) {
  const d = new Date(start);
  d.setUTCDate(d.getUTCDate() + i);
  console.log(d.toISOString().slice(0, 10), ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"][d.getUTCDay()]);
}
const bad = new Date("not a date");
console.log(bad, isNaN(bad), String(bad), bad.getTime());
try {
  bad.toISOString();
} catch (e) {
  console.log(e.name + ": " + e.message);
}
console.log(Date.parse("2024-01-01"), Date.parse("2024-01-01T00:00:00+02:00"), new Date(0).getTimezoneOffset());
console.log(new Date(2024, 0, 31, 12).getMonth(), new Date("March 7, 2021 14:00").toISOString());
