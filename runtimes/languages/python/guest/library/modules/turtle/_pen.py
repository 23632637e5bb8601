"""Turtles: each has a pen, and draws where it moves."""

import math
from collections import deque
from contextlib import contextmanager
from copy import copy

from ._colors import TurtleGraphicsError, color_text, color_value
from ._drawing import Area, Dot, Line, Text
from ._vectors import Navigator, Vec2D

_SPEEDS = {"fastest": 0, "fast": 10, "normal": 6, "slow": 3, "slowest": 1}
_FONT = "Arial", 8, "normal"
_UNDO_STEPS = 1000
_RESIZE_MODES = "auto", "user", "noresize"
# The state that `undo` brings back.
_UNDONE = (
    "_position", "_direction", "_is_down", "_width", "_pen_color", "_fill_color", "_is_visible", "_filled",
    "_polygon", "_circle",
)


class RawTurtle(Navigator):
    """A turtle on a screen."""

    def __init__(self, canvas=None, shape="classic", undobuffersize=_UNDO_STEPS, visible=True):
        self.screen = canvas
        self._shape = canvas._known_shape(shape)
        self._is_visible = visible
        self._steps = deque(maxlen=max(undobuffersize or 0, 0))
        super().__init__(canvas.mode())
        self._take_pen()
        canvas._join(self)

    def _take_pen(self):
        self._is_down = True
        self._width, self._speed = 1, 3
        self._pen_color = self._fill_color = "black"
        self._filled = self._polygon = self._last_polygon = None
        self._resize_mode = "noresize"
        self._stretch, self._tilt, self._shear, self._outline = (1.0, 1.0), 0.0, 0.0, 1

    # Moves

    def _remember(self):
        """Called before each step that `undo` can take back."""
        if self._steps.maxlen:
            items = self.screen._items
            grown = [] if self._polygon is None else [self._polygon]
            if self._filled is not None:
                grown.append(self._filled.points)
            if items and items[-1].owner is self and isinstance(items[-1], Line):
                grown.append(items[-1].points)
            state = [getattr(self, name) for name in _UNDONE]
            self._steps.append((state, len(items), [(points, len(points)) for points in grown]))

    def _go(self, end):
        self._remember()
        start = self._position
        end = Vec2D(float(end[0]), float(end[1])) if math.isfinite(end[0] + end[1]) else end
        if self._is_down:
            self.screen._draw_line(self, start, end, self._pen_color, self._width)
        if self._filled is not None:
            self._filled.points.append(end)
        if self._polygon is not None:
            self._polygon.append(end)
        self._position = end
        self.screen._changed()

    def _turn(self, angle):
        self._remember()
        super()._turn(angle)
        self.screen._changed()

    def teleport(self, x=None, y=None, *, fill_gap=False):
        """Moves to a point without a line. An area that is begun ends before, unless `fill_gap` is true."""
        was_down, is_filling = self._is_down, self._filled is not None and not fill_gap
        if is_filling:
            self.end_fill()
        self._is_down = False
        self._go(Vec2D(self.xcor() if x is None else x, self.ycor() if y is None else y))
        self._is_down = was_down
        if is_filling:
            self.begin_fill()

    def reset(self):
        """Deletes its drawing, and begins anew."""
        self.clear()
        self._mode = self.screen.mode()
        self._set_out()
        self._take_pen()
        self._is_visible = True
        self._steps.clear()

    def clear(self):
        """Deletes its drawing."""
        self.screen._remove(self)
        if self._filled is not None:
            self.begin_fill()

    def undo(self):
        """Takes the last step back."""
        if not self._steps:
            return
        state, count, grown = self._steps.pop()
        for name, value in zip(_UNDONE, state):
            setattr(self, name, value)
        for points, length in grown:
            del points[length:]
        items = self.screen._items
        items[count:] = [item for item in items[count:] if item.owner is not self]
        self.screen._changed()

    def undobufferentries(self):
        """The number of steps that `undo` can take back."""
        return len(self._steps)

    def setundobuffer(self, size):
        """Sets the most steps that `undo` can take back."""
        self._steps = deque(self._steps, maxlen=max(size or 0, 0))

    def speed(self, speed=None):
        """Gives or sets the speed, from 0 to 10, or by a name. A picture does not move."""
        if speed is None:
            return self._speed
        speed = _SPEEDS.get(speed, speed) if isinstance(speed, str) else speed
        self._speed = round(speed) if 0.5 < speed < 10.5 else 0

    # The pen

    def pendown(self):
        """Draws from now on."""
        self._is_down = True

    def penup(self):
        """Moves without a line from now on."""
        self._is_down = False

    def isdown(self):
        """Whether it draws."""
        return self._is_down

    def pensize(self, width=None):
        """Gives or sets the width of lines."""
        if width is None:
            return self._width
        self._width = width

    def pencolor(self, *args):
        """Gives or sets the colour of lines."""
        if not args:
            return color_value(self._pen_color, self.screen._color_mode)
        self._pen_color = color_text(args, self.screen._color_mode)
        self.screen._changed()

    def fillcolor(self, *args):
        """Gives or sets the colour of areas."""
        if not args:
            return color_value(self._fill_color, self.screen._color_mode)
        self._fill_color = color_text(args, self.screen._color_mode)
        self.screen._changed()

    def color(self, *args):
        """Gives or sets both colours: one for both, or one for lines and one for areas."""
        if not args:
            return self.pencolor(), self.fillcolor()
        pen, fill = (args[:1], args[1:]) if len(args) == 2 else (args, args)
        self.pencolor(*pen)
        self.fillcolor(*fill)

    def pen(self, pen=None, **pendict):
        """Gives or sets all that belongs to the pen, as a dict."""
        if pen is None and not pendict:
            return {
                "shown": self._is_visible, "pendown": self._is_down, "pencolor": self.pencolor(),
                "fillcolor": self.fillcolor(), "pensize": self._width, "speed": self._speed,
                "resizemode": self._resize_mode, "stretchfactor": self._stretch, "shearfactor": self._shear,
                "outline": self._outline, "tilt": self._tilt,
            }
        names = {
            "shown": "_is_visible", "pendown": "_is_down", "pensize": "_width", "stretchfactor": "_stretch",
            "shearfactor": "_shear", "outline": "_outline", "tilt": "_tilt",
        }
        for name, value in {**(pen or {}), **pendict}.items():
            if name in names:
                setattr(self, names[name], value)
            elif name in ("pencolor", "fillcolor", "speed", "resizemode"):
                getattr(self, name)(value)
        self.screen._changed()

    # Areas, dots and texts

    def begin_fill(self):
        """The area that its moves go around from now on is filled at `end_fill`."""
        self._filled = Area(self, [self._position], "")
        self.screen._add(self._filled)

    def end_fill(self):
        """Fills the area."""
        if self._filled is not None:
            self._filled.color = self._fill_color
            self._filled = None
            self.screen._changed()

    def filling(self):
        """Whether an area is begun."""
        return self._filled is not None

    @contextmanager
    def fill(self):
        """Fills the area of the moves in a `with` block."""
        self.begin_fill()
        try:
            yield
        finally:
            self.end_fill()

    def dot(self, size=None, *color):
        """Draws a disk."""
        if not color and isinstance(size, (str, tuple)):
            size, color = None, (size,)
        size = max(self._width + 4, 2 * self._width) if size is None else size
        self._remember()
        text = color_text(color, self.screen._color_mode) if color else self._pen_color
        self.screen._add(Dot(self, self._position, size, text))

    def write(self, arg, move=False, align="left", font=_FONT):
        """Writes a text."""
        self._remember()
        if align.lower() not in ("left", "center", "right"):
            raise TurtleGraphicsError(f"bad alignment: {align}")
        font = tuple(font) + _FONT[len(font):]
        text = Text(self, self._position, str(arg), align.lower(), font, self._pen_color)
        self.screen._add(text)
        if move:
            end = text.reach()[2] / self.screen._scale()[0]
            self._go(self._position + Vec2D(end, 0))

    def begin_poly(self):
        """Notes the points of its moves from now on."""
        self._polygon = [self._position]

    def end_poly(self):
        """Ends the notes."""
        if self._polygon is not None:
            self._last_polygon = tuple(self._polygon)
            self._polygon = None

    def get_poly(self):
        """The points between `begin_poly` and `end_poly`."""
        return self._last_polygon

    @contextmanager
    def poly(self):
        """Notes the points of the moves in a `with` block."""
        self.begin_poly()
        try:
            yield
        finally:
            self.end_poly()

    # The shape

    def showturtle(self):
        """Shows the turtle."""
        self._is_visible = True
        self.screen._changed()

    def hideturtle(self):
        """Hides the turtle."""
        self._is_visible = False
        self.screen._changed()

    def isvisible(self):
        """Whether the turtle is shown."""
        return self._is_visible

    def shape(self, name=None):
        """Gives or sets the name of its shape."""
        if name is None:
            return self._shape
        self._shape = self.screen._known_shape(name)
        self.screen._changed()

    def resizemode(self, rmode=None):
        """Gives or sets when the shape changes its size."""
        if rmode is None:
            return self._resize_mode
        if rmode in _RESIZE_MODES:
            self._resize_mode = rmode
            self.screen._changed()

    def shapesize(self, stretch_wid=None, stretch_len=None, outline=None):
        """Gives or sets the size of its shape, in factors, and the width of its outline."""
        if stretch_wid is None and stretch_len is None and outline is None:
            return (*self._stretch, self._outline)
        if stretch_wid == 0 or stretch_len == 0:
            raise TurtleGraphicsError("stretch_wid/stretch_len must not be zero")
        across, along = self._stretch
        if stretch_wid is not None:
            across, along = stretch_wid, stretch_wid if stretch_len is None else stretch_len
        elif stretch_len is not None:
            along = stretch_len
        self._stretch, self._resize_mode = (across, along), "user"
        self._outline = self._outline if outline is None else outline
        self.screen._changed()

    def shearfactor(self, shear=None):
        """Gives or sets how slanted its shape is."""
        if shear is None:
            return self._shear
        self._shear, self._resize_mode = shear, "user"
        self.screen._changed()

    def tiltangle(self, angle=None):
        """Gives or sets the angle between its shape and its direction."""
        if angle is None:
            return math.degrees(self._tilt) * self._circle / 360 % self._circle
        self._tilt, self._resize_mode = math.radians(angle * 360 / self._circle), "user"
        self.screen._changed()

    def tilt(self, angle):
        """Turns its shape, and not its direction."""
        self.tiltangle(self.tiltangle() + angle)

    def _looks(self):
        """Its shape as parts of a drawing."""
        across = along = 1.0
        if self._resize_mode == "user":
            across, along = self._stretch
        elif self._resize_mode == "auto":
            across = along = max(1.0, self._width / 5)
        width = self._outline if self._resize_mode == "user" else 1
        turned = self._direction.rotate(math.degrees(self._tilt) if self._resize_mode == "user" else 0)
        shear = self._shear if self._resize_mode == "user" else 0
        right, up = turned[1], turned[0]
        parts = self.screen._shapes[self._shape].parts(self._fill_color, self._pen_color)
        for corners, fill, outline in parts:
            scaled = [((x + shear * y) * across, y * along) for x, y in corners]
            # In pixels, the second coordinate goes down.
            shape = [(right * x + up * y, up * x - right * y) for x, y in scaled]
            yield Area(self, [self._position], fill, (outline, width), shape)

    def stamp(self):
        """Leaves a copy of its shape; gives the number of it."""
        self._remember()
        return self.screen._stamp(list(self._looks()))

    def clearstamp(self, stampid):
        """Deletes copies, by one number or several."""
        for number in (stampid,) if isinstance(stampid, int) else tuple(stampid):
            self.screen._remove_stamp(self, number)

    def clearstamps(self, n=None):
        """Deletes all copies, the first n, or the last ones for a negative n."""
        numbers = self.screen._stamps_of(self)
        self.clearstamp(numbers if n is None else numbers[:n] if n >= 0 else numbers[n:])

    # Others

    def clone(self):
        """Another turtle of the same state."""
        other = copy(self)
        other._filled = other._polygon = None
        other._steps = deque(maxlen=self._steps.maxlen)
        self.screen._join(other)
        return other

    def getturtle(self):
        """The turtle itself."""
        return self

    def getscreen(self):
        """Its screen."""
        return self.screen

    def onclick(self, fun, btn=1, add=None):
        """Is taken, and has no effect: nobody clicks on a picture."""

    onrelease = ondrag = onclick
    pd = down = pendown
    pu = up = penup
    width = pensize
    st, ht = showturtle, hideturtle
    turtlesize = shapesize
    getpen = getturtle
