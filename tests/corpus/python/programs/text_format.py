name, value, items = "total", 1234567.891, ["a", "bb", "ccc"]
print(f"{name!r:>10}|{value:,.2f}|{value:e}|{value:.3g}|{255:#x}|{255:08b}|{-5:+d}|{0.256:.1%}")
print("{0:*^20}|{1:<5}|{name}".format("mid", 3, name="N"), "%-10s|%05d|%.2f|%x" % ("ab", 42, 3.14159, 255))
width = 12
for i in items: print(f"{i:.<{width}}{len(i):>3}")
print(f"{name=} {len(items)=}", f"{{literal}}", f"{'nested ' + f'{1 + 1}'}")
print("abc".center(9, "-"), "x".zfill(4), "a\tb".expandtabs(4), str.maketrans("ab", "xy"))
