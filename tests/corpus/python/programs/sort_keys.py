people = [("Bob", 25), ("alice", 30), ("Carl", 25)]
from operator import itemgetter, attrgetter, methodcaller
print(sorted(people, key=itemgetter(1, 0)), sorted(people, key=lambda p: (-p[1], p[0].lower())))
print(sorted("bA c".split(), key=str.lower), max(people, key=itemgetter(1)), sorted([3, 1, 2], reverse=True))
