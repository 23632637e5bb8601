import csv, io
data = """name,department,salary
Alice,Engineering,85000
Bob,Marketing,62000
Carol,Engineering,91000
Dan,Sales,58000
Eve,Marketing,67500
"""
totals = {}
for row in csv.DictReader(io.StringIO(data)):
    totals.setdefault(row["department"], []).append(float(row["salary"]))
for department, salaries in sorted(totals.items()):
    print(f"{department:<12} {len(salaries):>3} {sum(salaries) / len(salaries):>12,.2f}")
