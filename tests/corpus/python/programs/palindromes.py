def is_pal(s):
    s = "".join(c.lower() for c in s if c.isalnum())
    return s == s[::-1]
for s in ["A man, a plan, a canal: Panama", "hello", "", "No 'x' in Nixon"]: print(repr(s), is_pal(s))
