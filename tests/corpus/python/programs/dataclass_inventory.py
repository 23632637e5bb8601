from dataclasses import dataclass, field, asdict, replace, astuple
@dataclass(order=True)
class Item:
    name: str
    price: float
    qty: int = 0
    tags: list = field(default_factory=list, compare=False)
    @property
    def total(self): return self.price * self.qty
items = [Item("pen", 1.5, 10), Item("book", 12.0, 3, ["paper"]), Item("ink", 7.25, 2)]
for i in sorted(items): print(i, i.total)
print(asdict(items[1]), astuple(items[0]))
print(replace(items[0], qty=99), items[0] == Item("pen", 1.5, 10))
