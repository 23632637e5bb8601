"""Points of the plane, and a position with a direction that moves over it."""

import math


class Vec2D(tuple):
    """A vector of two numbers."""

    def __new__(cls, x, y):
        return tuple.__new__(cls, (x, y))

    def __add__(self, other):
        return Vec2D(self[0] + other[0], self[1] + other[1])

    def __sub__(self, other):
        return Vec2D(self[0] - other[0], self[1] - other[1])

    def __mul__(self, other):
        if isinstance(other, Vec2D):
            return self[0] * other[0] + self[1] * other[1]
        return Vec2D(self[0] * other, self[1] * other)

    def __rmul__(self, other):
        if isinstance(other, (int, float)):
            return Vec2D(self[0] * other, self[1] * other)
        return NotImplemented

    def __neg__(self):
        return Vec2D(-self[0], -self[1])

    def __abs__(self):
        return math.hypot(*self)

    def rotate(self, angle):
        """The vector turned against the clock by an angle in degrees."""
        radians = math.radians(angle)
        cosine, sine = math.cos(radians), math.sin(radians)
        return Vec2D(self[0] * cosine - self[1] * sine, self[1] * cosine + self[0] * sine)

    def __getnewargs__(self):
        return tuple(self)

    def __repr__(self):
        return f"({self[0]:.2f},{self[1]:.2f})"


# The direction of a new turtle.
_FIRST_DIRECTIONS = {"standard": Vec2D(1.0, 0.0), "world": Vec2D(1.0, 0.0), "logo": Vec2D(0.0, 1.0)}
_DEGREES = 360.0


def _point(x, y):
    """A point that is given as two numbers, as a pair, or by a turtle there."""
    if y is not None:
        return Vec2D(x, y)
    if isinstance(x, Navigator):
        return x.position()
    return Vec2D(*x)


class Navigator:
    """A position and a direction. Moves call `_go`, which may draw, turns `_turn`."""

    def __init__(self, mode):
        self._mode = mode
        self._circle = _DEGREES
        self._set_out()

    def _set_out(self):
        self._position = Vec2D(0.0, 0.0)
        self._direction = _FIRST_DIRECTIONS[self._mode]

    def _go(self, end):
        self._position = end

    def _turn(self, angle):
        self._direction = self._direction.rotate(angle * _DEGREES / self._circle)

    def _angle_of(self, vector):
        turned = round(math.degrees(math.atan2(vector[1], vector[0])), 10) % _DEGREES
        turned *= self._circle / _DEGREES
        if self._mode == "logo":
            return (self._circle / 4 - turned) % self._circle
        return turned % self._circle

    def degrees(self, fullcircle=_DEGREES):
        """Sets the units of a full circle."""
        self._circle = float(fullcircle)

    def radians(self):
        """Measures angles in radians."""
        self.degrees(math.tau)

    def forward(self, distance):
        """Moves forward."""
        self._go(self._position + self._direction * distance)

    def back(self, distance):
        """Moves backward, without a turn."""
        self.forward(-distance)

    def right(self, angle):
        """Turns with the clock."""
        self._turn(-angle)

    def left(self, angle):
        """Turns against the clock."""
        self._turn(angle)

    def pos(self):
        """The position."""
        return self._position

    def xcor(self):
        """The first coordinate."""
        return self._position[0]

    def ycor(self):
        """The second coordinate."""
        return self._position[1]

    def goto(self, x, y=None):
        """Moves to a point."""
        self._go(_point(x, y))

    def setx(self, x):
        """Changes the first coordinate."""
        self._go(Vec2D(x, self._position[1]))

    def sety(self, y):
        """Changes the second coordinate."""
        self._go(Vec2D(self._position[0], y))

    def home(self):
        """Moves to the origin, and looks as in the beginning."""
        self.goto(0, 0)
        self.setheading(0)

    def distance(self, x, y=None):
        """The distance to a point."""
        return abs(_point(x, y) - self._position)

    def towards(self, x, y=None):
        """The angle of the way to a point."""
        return self._angle_of(_point(x, y) - self._position)

    def heading(self):
        """The angle of the direction."""
        return self._angle_of(self._direction)

    def setheading(self, to_angle):
        """Looks in a direction."""
        angle = to_angle - self.heading()
        if self._mode == "logo":
            angle = -angle
        half = self._circle / 2
        self._turn((angle + half) % self._circle - half)

    def circle(self, radius, extent=None, steps=None):
        """Moves along a circle whose centre is `radius` to the left, as a polygon."""
        if extent is None:
            extent = self._circle
        if steps is None:
            part = abs(extent) / self._circle
            steps = 1 + int(min(11 + abs(radius) / 6, 59) * part)
        angle = extent / steps
        side = 2 * radius * math.sin(math.radians(angle / 2 * _DEGREES / self._circle))
        if radius < 0:
            angle, side = -angle, -side
        self._turn(angle / 2)
        for _ in range(steps):
            self._go(self._position + self._direction * side)
            self._turn(angle)
        self._turn(-angle / 2)

    fd = forward
    bk = backward = back
    rt, lt = right, left
    position = pos
    setpos = setposition = goto
    seth = setheading
