class Dog:
    def bark(self): return "woof"
d = Dog()
print(d.bark())
d.meow()
