def bits(n): return [i for i in range(n.bit_length()) if n >> i & 1]
print(bits(37), 37 & -37, bin(37 | 8), f"{37:010b}", sum(1 << i for i in [0, 2, 5]), int("".join(reversed(f"{6:08b}")), 2))
