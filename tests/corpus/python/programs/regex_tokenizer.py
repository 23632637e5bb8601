import re
spec = [("NUMBER", r"\d+(\.\d*)?"), ("ASSIGN", r":="), ("END", r";"), ("ID", r"[A-Za-z]+"), ("OP", r"[+\-*/]"), ("SKIP", r"[ \t]+"), ("BAD", r".")]
master = "|".join("(?P<%s>%s)" % pair for pair in spec)
for m in re.finditer(master, "price := 3.5 * quantity + 7;"):
    if m.lastgroup != "SKIP":
        print(m.lastgroup, repr(m.group()))
