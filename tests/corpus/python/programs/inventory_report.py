items = [("Widget", 4, 3.5), ("Gadget", 10, 12.25), ("Doohickey", 1, 99.99)]
print("-" * 40); print(f"{'Item':<15}{'Qty':>5}{'Price':>10}{'Total':>10}"); print("-" * 40)
for n, q, p in items: print(f"{n:<15}{q:>5}{p:>10.2f}{q * p:>10.2f}")
print(f"{'TOTAL':<30}{sum(q * p for _, q, p in items):>10.2f}")
