print(not True == False, 2 ** 3 ** 2, -2 ** 2, 1 < 2 < 3, 1 if 0 else 2, 5 // 2 * 2 + 5 % 2, 3 or 0 and 1, [] or "x", None is None, "a" "b")
