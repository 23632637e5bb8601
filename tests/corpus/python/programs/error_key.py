config = {"host": "x"}
def load(name):
    return config[name]
load("port")
