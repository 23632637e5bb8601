class Node:
    def __init__(self, v, n=None): self.v, self.next = v, n
class LinkedList:
    def __init__(self, it=()):
        self.head = None
        for x in reversed(list(it)): self.head = Node(x, self.head)
    def __iter__(self):
        n = self.head
        while n: yield n.v; n = n.next
    def reverse(self):
        p, n = None, self.head
        while n: n.next, p, n = p, n, n.next
        self.head = p; return self
    def __len__(self): return sum(1 for _ in self)
    def __repr__(self): return " -> ".join(map(str, self)) + " -> None"
l = LinkedList(range(5)); print(l, len(l)); print(l.reverse(), 3 in l)
