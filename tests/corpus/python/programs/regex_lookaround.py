import re
print(re.findall(r"(?<=\$)\d+(?=\.00)", "$5.00 $17.50 $20.00"))
print(re.split(r"[,;]\s*", "a, b;c,d"))
print(re.sub(r"\b(\w)(\w*)", lambda m: m[1].upper() + m[2].lower(), "hELLO wORLD"))
print(re.fullmatch(r"(?i)[a-f0-9]{4}", "DeAd"), re.escape("a.b*c"))
print(re.findall(r"^\w+", "one two\nthree four", re.M))
