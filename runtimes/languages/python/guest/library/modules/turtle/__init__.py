"""Turtle graphics without a window: turtles draw an SVG picture, which is displayed by `done`, and at the end
of a run. The functions are those of the screen, and of a turtle that the first use makes."""

from ._colors import TurtleGraphicsError
from ._pen import RawTurtle
from ._screen import TurtleScreen
from ._shapes import Shape
from ._vectors import Vec2D

_only_screen = None
_first_turtle = None


class Turtle(RawTurtle):
    """A turtle on the only screen."""

    def __init__(self, shape="classic", undobuffersize=1000, visible=True):
        super().__init__(Screen(), shape, undobuffersize, visible)


class Terminator(Exception):
    """The window is closed. Here it never is."""


def Screen():
    """The screen."""
    global _only_screen
    if _only_screen is None:
        _only_screen = TurtleScreen()
    return _only_screen


def _turtle():
    global _first_turtle
    if _first_turtle is None or _first_turtle not in Screen()._turtles:
        _first_turtle = Turtle()
    return _first_turtle


def _function(name, place, method):
    def function(*args, **kwargs):
        return getattr(place(), name)(*args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__ = method.__doc__
    return function


def _functions(kind, place):
    names = [name for base in kind.__mro__ for name in vars(base) if not name.startswith("_")]
    return {name: _function(name, place, getattr(kind, name)) for name in names}


# Where both have a name, the function is the turtle's.
globals().update(_functions(TurtleScreen, Screen))
globals().update(_functions(RawTurtle, _turtle))
done = globals()["mainloop"]
Pen, RawPen = Turtle, RawTurtle
for _kind in (RawTurtle, Shape, TurtleGraphicsError, TurtleScreen, Vec2D):
    _kind.__module__ = __name__

__all__ = sorted(name for name in globals() if not name.startswith("_"))


def _show_drawing():
    """Called at the end of a run."""
    if _only_screen is not None:
        _only_screen._show()
