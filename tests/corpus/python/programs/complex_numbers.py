import cmath
z = 3 + 4j
print(abs(z), z.conjugate(), z * 1j, cmath.phase(1j), z ** 2, complex("1-2j"), (z / 2).real)
print([round(abs(r), 6) for r in [cmath.exp(2j * cmath.pi * k / 3) for k in range(3)]])
