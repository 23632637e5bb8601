"""Shapes of turtles. They look up."""

import math

from ._colors import TurtleGraphicsError

_CIRCLE = tuple(
    (10 * math.cos(math.tau * part / 20), 10 * math.sin(math.tau * part / 20)) for part in range(20)
)


def _mirrored(half):
    """A polygon of its right half, from top to bottom."""
    return tuple(half) + tuple((-x, y) for x, y in reversed(half) if x)


_TURTLE = _mirrored((
    (0, 16), (2, 14), (2, 10), (4, 8), (7, 10), (9, 8), (6, 5), (7, 1), (6, -3), (8, -6), (6, -8), (4, -6), (0, -8),
))


class Shape:
    """A form: a polygon, or a list of polygons with their colours ("compound")."""

    def __init__(self, type_, data=None):
        if type_ not in ("polygon", "image", "compound"):
            raise TurtleGraphicsError(f"There is no shape type {type_}")
        self._type = type_
        self._data = [] if type_ == "compound" else tuple(data or ())

    def addcomponent(self, poly, fill, outline=None):
        """Adds a polygon with its colours."""
        if self._type != "compound":
            raise TurtleGraphicsError(f"Cannot add component to {self._type} Shape")
        self._data.append((tuple(poly), fill, fill if outline is None else outline))

    def parts(self, fill, outline):
        """Polygons with their colours, for a turtle with these two."""
        if self._type == "compound":
            return self._data
        return [(self._data, fill, outline)] if self._data else []


# The shapes that each screen has.
FIRST_SHAPES = {
    "arrow": Shape("polygon", ((-10, 0), (10, 0), (0, 10))),
    "blank": Shape("polygon"),
    "circle": Shape("polygon", _CIRCLE),
    "classic": Shape("polygon", ((0, 0), (-5, -9), (0, -7), (5, -9))),
    "square": Shape("polygon", ((10, -10), (10, 10), (-10, 10), (-10, -10))),
    "triangle": Shape("polygon", ((10, -5.77), (0, 11.55), (-10, -5.77))),
    "turtle": Shape("polygon", _TURTLE),
}
