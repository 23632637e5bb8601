def apply(f, x):
    return f(x)
def run():
    return apply(lambda v: v["a"]["b"], {"a": None})
run()
