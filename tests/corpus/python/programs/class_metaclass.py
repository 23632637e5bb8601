class Registry(type):
    items = {}
    def __new__(mcls, name, bases, ns, **kw):
        cls = super().__new__(mcls, name, bases, ns)
        mcls.items[name] = kw.get("tag", "none")
        return cls
    def __init__(cls, name, bases, ns, **kw): super().__init__(name, bases, ns)
class Base(metaclass=Registry): pass
class Plugin(Base, tag="fast"): pass
print(Registry.items, type(Plugin).__name__)
