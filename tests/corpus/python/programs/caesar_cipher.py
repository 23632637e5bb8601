def caesar(text, shift):
    out = []
    for ch in text:
        if ch.isalpha():
            base = ord("A") if ch.isupper() else ord("a")
            out.append(chr((ord(ch) - base + shift) % 26 + base))
        else: out.append(ch)
    return "".join(out)
m = "Attack at Dawn!"
e = caesar(m, 3)
print(e, caesar(e, -3) == m)
