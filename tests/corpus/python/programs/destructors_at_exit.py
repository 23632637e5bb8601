# Objects that live as long as the program say goodbye at its end, and may use what it defined.
import atexit


class Person:
    population = 0

    def __init__(self, name):
        self.name = name
        Person.population += 1
        print(f"{name} is born, {Person.population} in all")

    def __del__(self):
        Person.population -= 1
        log(f"{self.name} leaves, {Person.population} are left")


class Room:
    def __init__(self, *people):
        self.people = list(people)


def log(text):
    print(f"[{text.upper()}]")


def short_life():
    Person("Local")


atexit.register(print, "at exit")
ann = Person("Ann")
short_life()
bob = Person("Bob")
del bob
room = Room(Person("Cy"))
dora = Person("Dora")
dora = None
print("end of the program")
