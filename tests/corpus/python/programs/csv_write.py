import csv
rows = [["id", "text"], [1, 'say "hi"'], [2, "a,b"], [3, "line\nbreak"]]
with open("out.csv", "w", newline="") as f:
    csv.writer(f, quoting=csv.QUOTE_MINIMAL).writerows(rows)
with open("out.csv", newline="") as f:
    for row in csv.reader(f):
        print(row)
print(open("out.csv").read().count('"'))
