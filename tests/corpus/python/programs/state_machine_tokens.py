def parse_kv(s):
    state, key, val, out = "key", "", "", {}
    for ch in s + ";":
        if state == "key":
            if ch == "=": state = "val"
            else: key += ch
        elif ch == ";": out[key.strip()] = val.strip(); key = val = ""; state = "key"
        else: val += ch
    return out
print(parse_kv("a=1; b = two ;c=3"))
