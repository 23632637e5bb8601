"""Steps of a run: callables that the host calls itself, with none of this driver's frames beneath
them. All that may run code of the guest is a step: a generator yields it, and is given what came
of it. So no stack that the guest looks at, and no warning, shows the driver."""


class Raised(BaseException):
    """Carries what a step raised into generators, which would change a StopIteration."""

    def __init__(self, error):
        self.error = error


def attempt(step, otherwise=None):
    """What a step gives, or something else when it raises."""
    try:
        return (yield step)
    except Raised:
        return otherwise
