for c in range(-10, 41, 25): print(f"{c:>5}°C = {c * 9 / 5 + 32:>6.1f}°F")
