"""Groups, pivots and describes a table without any library for it."""
import csv
import io
import itertools
import math
import operator
import statistics

RAW = """\
region,product,month,units,price
north,apple,1,10,0.50
north,pear,1,4,0.75
south,apple,1,7,0.55
south,pear,2,9,0.70
north,apple,2,12,0.48
east,plum,2,,1.10
east,apple,1,3,0.60
"""
rows = [
    {**row, "month": int(row["month"]), "units": int(row["units"] or 0), "price": float(row["price"])}
    for row in csv.DictReader(io.StringIO(RAW))
]
by_region = operator.itemgetter("region")
for region, group in itertools.groupby(sorted(rows, key=by_region), key=by_region):
    group = list(group)
    total = math.fsum(row["units"] * row["price"] for row in group)
    print(f"{region:<6}{len(group):>3}{total:>9.2f}")

products = sorted({row["product"] for row in rows})
regions = sorted({row["region"] for row in rows})
cells = {}
for row in rows:
    key = row["region"], row["product"]
    cells[key] = cells.get(key, 0) + row["units"]
print("".join(f"{name:>8}" for name in ["", *products]))
for region in regions:
    print(f"{region:>8}" + "".join(f"{cells.get((region, p), '-'):>8}" for p in products))

units = [row["units"] for row in rows if row["units"]]
print(
    statistics.mean(units), statistics.median_low(units), round(statistics.pstdev(units), 4),
    statistics.quantiles(units, n=4), statistics.multimode([1, 1, 2, 2, 3]),
)
slope, intercept = statistics.linear_regression([r["price"] for r in rows], [r["units"] for r in rows])
print(round(slope, 3), round(intercept, 3), round(statistics.correlation(units, units[::-1]), 6))
running = list(itertools.accumulate(units))
print(running, [round(b / a, 2) for a, b in itertools.pairwise(running)])
print(list(itertools.batched(units, 4)), max(rows, key=lambda r: r["units"] * r["price"])["product"])
print(statistics.mean([]))
