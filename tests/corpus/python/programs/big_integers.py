n = 2 ** 200 - 1
print(n, n % 97, pow(3, 200, 1000007), len(str(7 ** 1000)), 100 ** 20 // 3, pow(7, -1, 26))
def is_prime(n, ks=(2, 3, 5, 7, 11, 13)):
    d, s = n - 1, 0
    while d % 2 == 0: d //= 2; s += 1
    for a in ks:
        x = pow(a, d, n)
        if x in (1, n - 1): continue
        for _ in range(s - 1):
            x = x * x % n
            if x == n - 1: break
        else: return False
    return True
print(is_prime(2 ** 61 - 1), is_prime(2 ** 61 + 1))
