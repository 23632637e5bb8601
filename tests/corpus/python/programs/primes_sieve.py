def sieve(n):
    flags = bytearray([1]) * (n + 1); flags[0:2] = b"\0\0"
    for i in range(2, int(n ** 0.5) + 1):
        if flags[i]: flags[i * i::i] = bytes(len(flags[i * i::i]))
    return [i for i, f in enumerate(flags) if f]
p = sieve(10000)
print(len(p), p[:10], p[-1], sum(p))
