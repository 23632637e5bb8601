row = [1]
for i in range(7):
    print(" ".join(map(str, row)).center(30).rstrip()); row = [1] + [a + b for a, b in zip(row, row[1:])] + [1]
