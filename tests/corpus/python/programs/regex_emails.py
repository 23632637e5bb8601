import re
text = "Contact: alice@example.com, bob.smith@mail.co.uk; bad@, @x, carol+tag@sub.domain.org."
pattern = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
for m in pattern.finditer(text):
    print(m.span(), m.group())
print(re.sub(r"(\w+)@(\w+)", r"\2 at \1", "joe@home"))
