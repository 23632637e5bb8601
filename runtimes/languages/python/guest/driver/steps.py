"""Steps of a run: callables that the host calls directly, with no frame of the driver below
them. Everything that may run guest code is a step: a generator yields it and receives its outcome.
So neither a stack that the guest inspects nor a warning shows the driver."""


class Raised(BaseException):
    """Carries a step's exception into a generator, which would otherwise change a StopIteration."""

    def __init__(self, error):
        self.error = error


def attempt(step, otherwise=None):
    """Yields a step. Returns its result, or `otherwise` if it raises."""
    try:
        return (yield step)
    except Raised:
        return otherwise
