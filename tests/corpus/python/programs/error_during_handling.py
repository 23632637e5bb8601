try:
    int("x")
except ValueError:
    raise TypeError("wrapped")
