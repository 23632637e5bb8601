// Parse a CSV of sales and aggregate by region and product.
const csv = `date,region,product,units,price
2024-01-05,North,Widget,10,2.50
2024-01-06,South,Gadget,3,19.99
2024-01-06,North,Gadget,1,19.99
2024-02-01,East,Widget,25,2.50
2024-02-14,South,Widget,7,2.40
2024-02-20,North,Doohickey,2,7.25`;

function parseCsv(text) {
  const [header, ...lines] = text.trim().split("\n");
  const keys = header.split(",");
  return lines.map((line) =>
    Object.fromEntries(line.split(",").map((cell, i) => [keys[i], isNaN(cell) ? cell : Number(cell)]))
  );
}

const rows = parseCsv(csv);
console.log(rows[0]);
console.log(`Parsed ${rows.length} rows`);

const byRegion = {};
for (const { region, units, price } of rows) {
  byRegion[region] ??= { units: 0, revenue: 0 };
  byRegion[region].units += units;
  byRegion[region].revenue += units * price;
}
for (const [region, { units, revenue }] of Object.entries(byRegion).sort((a, b) => b[1].revenue - a[1].revenue)) {
  console.log(`${region.padEnd(8)}|${String(units).padStart(5)} |${revenue.toFixed(2).padStart(10)}`);
}
console.table(Object.entries(byRegion).map(([region, v]) => ({ region, ...v })));

const monthly = rows.reduce((acc, r) => {
  const month = r.date.slice(0, 7);
  (acc[month] ||= []).push(r.product);
  return acc;
}, {});
console.log(monthly);
const total = rows.reduce((sum, r) => sum + r.units * r.price, 0);
console.log("Total revenue:", total.toLocaleString("en-US", { style: "currency", currency: "USD" }));
