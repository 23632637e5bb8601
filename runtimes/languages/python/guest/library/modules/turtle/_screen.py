"""The screen that turtles draw on. It is shown as a picture by `done`, and at the end of a run."""

import heapq
from builtins import display
from contextlib import contextmanager

from ._colors import TurtleGraphicsError, color_text, color_value
from ._drawing import Line, Picture, View, svg_of
from ._shapes import FIRST_SHAPES, Shape

_MODES = "standard", "logo", "world"
# The screen that windows are on, in pixels, and the part of it that a window has at first.
_WHOLE = 1920, 1080
_FIRST_PARTS = 0.5, 0.75
_FIRST_SIZE = 400, 300
_FRAME = 20
# The time that timers have after `done`, in milliseconds, and how many may run.
_TIMERS_MS, _MOST_TIMERS = 10_000, 10_000


def _pixels(given, whole):
    return given if isinstance(given, int) else given * whole


class TurtleScreen:
    """A screen with its turtles."""

    def __init__(self):
        self._mode = "standard"
        self._color_mode = 1.0
        self._size, self._window, self._world = _FIRST_SIZE, None, None
        self._title = "Turtle graphics"
        self._delay, self._tracer = 10, 1
        self._timers, self._timer_count, self._now = [], 0, 0
        self._stamp_count = 0
        self._state = self._shown = 0
        self._clear()

    def _clear(self):
        self._background, self._picture = "white", "nopic"
        self._shapes = dict(FIRST_SHAPES)
        self._items, self._turtles, self._stamps = [], [], {}
        self._timers.clear()
        self._changed()

    # Called by turtles

    def _changed(self):
        self._state += 1

    def _join(self, turtle):
        self._turtles.append(turtle)
        self._changed()

    def _add(self, item):
        self._items.append(item)
        self._changed()

    def _draw_line(self, owner, start, end, color, width):
        last = self._items[-1] if self._items else None
        if isinstance(last, Line) and last.takes(owner, start, color, width):
            last.points.append(end)
        else:
            self._items.append(Line(owner, [start, end], color, width))

    def _remove(self, owner):
        self._items = [item for item in self._items if item.owner is not owner]
        self._stamps = {number: parts for number, parts in self._stamps.items() if parts[0].owner is not owner}
        self._changed()

    def _stamp(self, parts):
        self._stamp_count += 1
        if parts:
            self._stamps[self._stamp_count] = parts
            self._items += parts
        self._changed()
        return self._stamp_count

    def _stamps_of(self, owner):
        return [number for number, parts in self._stamps.items() if parts[0].owner is owner]

    def _remove_stamp(self, owner, number):
        parts = self._stamps.get(number)
        if parts is not None and parts[0].owner is owner:
            del self._stamps[number]
            self._items = [item for item in self._items if item not in parts]
            self._changed()

    def _known_shape(self, name):
        if name not in self._shapes:
            raise TurtleGraphicsError(f"There is no shape named {name}")
        return name

    # The picture

    def _scale(self):
        if self._world is None:
            return 1, 1
        left, bottom, right, top = self._world
        width, height = self._window or self._size
        return width / (right - left), height / (top - bottom)

    def _view(self):
        scale = self._scale()
        if self._world is not None:
            box = (self._world[0] * scale[0], -self._world[3] * scale[1], *(self._window or self._size))
            return View(scale, box)
        size = self._window or (self._size if self._size != _FIRST_SIZE else None)
        return View(scale, size and (-size[0] / 2, -size[1] / 2, *size))

    def _svg(self):
        looks = [part for turtle in self._turtles if turtle._is_visible for part in turtle._looks()]
        return svg_of([*self._items, *looks], self._background, self._view(), self._title)

    def _show(self):
        """Displays the picture, unless it was displayed and has not changed, or nobody has drawn."""
        if self._state != self._shown and (self._turtles or self._background != "white"):
            self._shown = self._state
            display(Picture(self._svg()))

    def mainloop(self):
        """Runs the functions of `ontimer`, for ten seconds of its time, and shows the picture."""
        end, count = self._now + _TIMERS_MS, 0
        while self._timers and self._timers[0][0] <= end and count < _MOST_TIMERS:
            self._now, _, function = heapq.heappop(self._timers)
            count += 1
            function()
        self._timers.clear()
        self._show()

    def exitonclick(self):
        """Shows the picture."""
        self.mainloop()

    def bye(self):
        """Shows the picture."""
        self._timers.clear()
        self._show()

    def save(self, filename, *, overwrite=False):
        """Writes the picture into a file as SVG."""
        if not str(filename).endswith(".svg"):
            raise ValueError("Unknown file extension. The picture is saved as .svg")
        with open(filename, "w" if overwrite else "x", encoding="utf-8") as file:
            file.write(self._svg())

    # Background and size

    def clear(self):
        """Deletes the drawing and all turtles, and is as in the beginning."""
        self._mode, self._color_mode, self._world = "standard", 1.0, None
        self._clear()

    def reset(self):
        """Begins anew with all turtles."""
        for turtle in self._turtles:
            turtle.reset()

    def bgcolor(self, *args):
        """Gives or sets the colour of the background."""
        if not args:
            return color_value(self._background, self._color_mode)
        self._background = color_text(args, self._color_mode)
        self._changed()

    def bgpic(self, picname=None):
        """Gives the name of the picture in the background. There is none here."""
        if picname not in (None, "nopic"):
            raise TurtleGraphicsError("there are no pictures in the background here")
        return self._picture if picname is None else None

    def colormode(self, cmode=None):
        """Gives or sets the number for a full colour: 1.0 or 255."""
        if cmode is None:
            return self._color_mode
        if cmode in (1.0, 255):
            self._color_mode = 1.0 if cmode == 1.0 else 255

    def screensize(self, canvwidth=None, canvheight=None, bg=None):
        """Gives or sets the size of the picture, and its background."""
        if canvwidth is None and canvheight is None and bg is None:
            return self._size
        self._size = canvwidth or self._size[0], canvheight or self._size[1]
        if bg is not None:
            self.bgcolor(bg)
        self._changed()

    def setup(self, width=_FIRST_PARTS[0], height=_FIRST_PARTS[1], startx=None, starty=None):
        """Sets the size of the picture, in pixels or as a part of a screen."""
        before = self._window or (self.window_width(), self.window_height())
        self._window = (
            before[0] if width is None else _pixels(width, _WHOLE[0]),
            before[1] if height is None else _pixels(height, _WHOLE[1]),
        )
        self._changed()

    def window_width(self):
        """The width of the window."""
        return int(self._window[0] if self._window else _WHOLE[0] * _FIRST_PARTS[0])

    def window_height(self):
        """The height of the window."""
        return int(self._window[1] if self._window else _WHOLE[1] * _FIRST_PARTS[1])

    def setworldcoordinates(self, llx, lly, urx, ury):
        """Sets the coordinates of the lower left and upper right corners."""
        if llx == urx or lly == ury:
            raise TurtleGraphicsError("the corners must not be on a line")
        if self._mode != "world":
            self.mode("world")
        self._world = llx, lly, urx, ury
        self._changed()

    def mode(self, mode=None):
        """Gives or sets the mode: standard, logo (angles from the north, with the clock) or world."""
        if mode is None:
            return self._mode
        if mode not in _MODES:
            raise TurtleGraphicsError(f"No turtle-graphics-mode {mode}")
        self._mode, self._world = mode, None
        self.reset()

    def title(self, titlestring):
        """Sets the title of the picture."""
        self._title = str(titlestring)
        self._changed()

    # Turtles and shapes

    def turtles(self):
        """All turtles."""
        return list(self._turtles)

    def register_shape(self, name, shape=None):
        """Adds a shape: a polygon or a Shape."""
        if shape is None:
            raise TurtleGraphicsError(f"{name}: shapes of image files are not there, polygons are")
        self._shapes[name] = shape if isinstance(shape, Shape) else Shape("polygon", shape)

    def getshapes(self):
        """The names of all shapes."""
        return sorted(self._shapes)

    # Time and events

    def tracer(self, n=None, delay=None):
        """Gives or sets how often the screen is drawn. A picture is drawn once."""
        if n is None:
            return self._tracer
        self._tracer = int(n)
        self._delay = self._delay if delay is None else int(delay)

    def delay(self, delay=None):
        """Gives or sets the delay between drawings. A picture has none."""
        if delay is None:
            return self._delay
        self._delay = int(delay)

    def update(self):
        """Is taken, and has no effect: a picture is drawn once."""

    @contextmanager
    def no_animation(self):
        """A `with` block without animation. A picture has none."""
        before = self._tracer
        self._tracer = 0
        try:
            yield
        finally:
            self._tracer = before

    def ontimer(self, fun, t=0):
        """Plans a call after milliseconds: it takes place in `done`."""
        self._timer_count += 1
        heapq.heappush(self._timers, (self._now + max(t, 0), self._timer_count, fun))

    def listen(self, xdummy=None, ydummy=None):
        """Is taken, and has no effect: nobody presses a key."""

    def onkeypress(self, fun, key=None):
        """Is taken, and has no effect: nobody presses a key."""

    def onclick(self, fun, btn=1, add=None):
        """Is taken, and has no effect: nobody clicks on a picture."""

    def textinput(self, title, prompt):
        """Asks for a text, as `input` does; None without an answer."""
        try:
            return input(f"{prompt} ")
        except EOFError:
            return None

    def numinput(self, title, prompt, default=None, minval=None, maxval=None):
        """Asks for a number until it fits; an empty answer is the default, None is no answer."""
        while True:
            text = self.textinput(title, prompt)
            if text is None or not text.strip():
                return None if text is None or default is None else float(default)
            try:
                number = float(text)
            except ValueError:
                print("Not a number. Please try again.")
                continue
            if minval is not None and number < minval:
                print(f"The allowed minimum value is {minval}. Please try again.")
            elif maxval is not None and number > maxval:
                print(f"The allowed maximum value is {maxval}. Please try again.")
            else:
                return number

    clearscreen, resetscreen = clear, reset
    addshape = register_shape
    onkey = onkeyrelease = onkeypress
    onscreenclick = onclick
