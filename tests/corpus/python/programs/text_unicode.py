import unicodedata
s = "Crème Brûlée ① ﬁ"
print(len(s), s.upper(), s.casefold(), unicodedata.normalize("NFKC", s), [unicodedata.name(c) for c in "é①"])
print("".join(c for c in unicodedata.normalize("NFD", s) if unicodedata.category(c) != "Mn"))
print(s.encode("utf-8")[:8], "ñ".encode("latin-1"), b"\xff\xfe".decode("utf-8", "replace"), "日本".encode("shift_jis"))
try: "é".encode("ascii")
except UnicodeEncodeError as e: print(e)
