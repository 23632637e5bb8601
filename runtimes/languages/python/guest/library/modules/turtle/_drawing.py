"""A drawing: lines, areas, dots and texts in their order, and the SVG of them."""

import math
import sys

from ._colors import svg_color

# A display may have 1 MiB.
_MOST_BYTES = 1_000_000
_MOST_POINTS = 2_000
_FARTHEST = 1e6
_MARGIN = 10
_SMALLEST = 400, 300
_POINTS_TO_PIXELS = 4 / 3
# The width of a letter, and the part of a line that is below its letters, in heights of the font.
_LETTER, _BELOW = 0.55, 0.22
_ANCHORS = {"left": "start", "center": "middle", "right": "end"}
_SHIFTS = {"left": 0.0, "center": 0.5, "right": 1.0}
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;"}


def _number(value):
    text = f"{min(max(value, -_FARTHEST), _FARTHEST):.1f}" if math.isfinite(value) else "0.0"
    text = text[:-2] if text.endswith(".0") else text
    return "0" if text == "-0" else text


def _character(character):
    """A character in a text of XML, which has no control characters and no halves of characters."""
    code = ord(character)
    if code < 32 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000 or code in (0xFFFE, 0xFFFF):
        return " " if character in "\t\n" else "\ufffd"
    return _ESCAPES.get(character, character)


def escaped(text):
    """A text as XML has it, also between quotes."""
    return "".join(map(_character, text))


def _points(points):
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


class Item:
    """A part of a drawing. `points` are in coordinates of the screen; `svg` takes them in pixels."""

    def __init__(self, owner, points):
        self.owner = owner
        self.points = points

    def reach(self):
        """How far it goes beyond its points, in pixels: left, up, right, down."""
        return (0, 0, 0, 0)


class Line(Item):
    """Straight lines from point to point."""

    def __init__(self, owner, points, color, width):
        super().__init__(owner, points)
        self.color, self.width = color, width

    def takes(self, owner, start, color, width):
        """Whether a line from `start` continues it."""
        return (
            self.owner is owner and self.color == color and self.width == width
            and self.points[-1] == start and len(self.points) < _MOST_POINTS
        )

    def svg(self, points):
        """Its element."""
        return (
            f"<polyline points='{_points(points)}' fill='none' stroke='{svg_color(self.color)}'"
            f" stroke-width='{_number(self.width)}' stroke-linecap='round' stroke-linejoin='round'/>"
        )


class Area(Item):
    """A filled polygon. `outline` has a colour and a width, or is None. Its corners are `points`, or `shape`
    in pixels around the only point."""

    def __init__(self, owner, points, color, outline=None, shape=None):
        super().__init__(owner, points)
        self.color, self.outline, self.shape = color, outline, shape

    def reach(self):
        """How far the shape goes."""
        if not self.shape:
            return (0, 0, 0, 0)
        across, down = [x for x, _ in self.shape], [y for _, y in self.shape]
        return (-min(across), -min(down), max(across), max(down))

    def svg(self, points):
        """Its element."""
        if self.shape is not None:
            x, y = points[0]
            points = [(x + across, y + down) for across, down in self.shape]
        if len(points) < 2:
            return ""
        edge = ""
        if self.outline is not None:
            color, width = self.outline
            edge = f" stroke='{svg_color(color)}' stroke-width='{_number(width)}'"
        return f"<polygon points='{_points(points)}' fill='{svg_color(self.color)}' fill-rule='evenodd'{edge}/>"


class Dot(Item):
    """A disk."""

    def __init__(self, owner, point, size, color):
        super().__init__(owner, [point])
        self.size, self.color = size, color

    def reach(self):
        """Its radius, in all directions."""
        return (self.size / 2,) * 4

    def svg(self, points):
        """Its element."""
        x, y = points[0]
        return f"<circle cx='{_number(x)}' cy='{_number(y)}' r='{_number(self.size / 2)}' fill='{svg_color(self.color)}'/>"


class Text(Item):
    """A line of text above its point. `font` has a family, a size in points, and styles."""

    def __init__(self, owner, point, text, align, font, color):
        super().__init__(owner, [point])
        self.text, self.align, self.color = text, align, color
        self.family, size, self.style = font
        self.height = abs(size) * _POINTS_TO_PIXELS if size > 0 else abs(size)

    def width(self):
        """About its width in pixels."""
        return len(self.text) * self.height * _LETTER

    def reach(self):
        """About its box."""
        before = self.width() * _SHIFTS[self.align]
        return (before, self.height, self.width() - before, 0)

    def svg(self, points):
        """Its element."""
        x, y = points[0]
        style = "".join(
            f" {name}" for word, name in (
                ("bold", "font-weight='bold'"), ("italic", "font-style='italic'"),
                ("underline", "text-decoration='underline'"),
            ) if word in self.style
        )
        return (
            f"<text x='{_number(x)}' y='{_number(y - self.height * _BELOW)}' font-family='{escaped(self.family)}, sans-serif'"
            f" font-size='{_number(self.height)}' text-anchor='{_ANCHORS[self.align]}'"
            f" fill='{svg_color(self.color)}' xml:space='preserve'{style}>{escaped(self.text)}</text>"
        )


class View:
    """The part of the plane that a picture shows: factors of both coordinates, and a box in pixels; None: the
    whole drawing."""

    def __init__(self, scale=(1, 1), box=None):
        self.scale, self.box = scale, box

    def placed(self, points):
        """Points in pixels; the second coordinate goes down."""
        across, up = self.scale
        return [(x * across, -y * up) for x, y in points]


def _box_of(placed):
    """A box around everything, and around the middle of the plane. Takes items and their points."""
    left, top = -_SMALLEST[0] / 2, -_SMALLEST[1] / 2
    right, bottom = -left, -top
    for item, points in placed:
        before, above, after, below = item.reach()
        for x, y in points:
            if math.isfinite(x) and math.isfinite(y):
                left, right = min(left, x - before - _MARGIN), max(right, x + after + _MARGIN)
                top, bottom = min(top, y - above - _MARGIN), max(bottom, y + below + _MARGIN)
    left, top = max(left, -_FARTHEST), max(top, -_FARTHEST)
    return left, top, min(right, _FARTHEST) - left, min(bottom, _FARTHEST) - top


def svg_of(items, background, view, title):
    """The picture of items. Those at the end that make it too large are left out, with a warning."""
    placed = [(item, view.placed(item.points)) for item in items]
    left, top, width, height = map(_number, view.box or _box_of(placed))
    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='{left} {top} {width} {height}' width='{width}'"
        f" height='{height}' role='img'><title>{escaped(title)}</title>"
        f"<rect x='{left}' y='{top}' width='{width}' height='{height}' fill='{svg_color(background)}'/>"
    ]
    size = 0
    for at, (item, points) in enumerate(placed):
        part = item.svg(points)
        size += len(part.encode())
        if size > _MOST_BYTES:
            print(f"turtle: the drawing is too large: {len(placed) - at} of its parts are not shown", file=sys.stderr)
            break
        parts.append(part)
    return "".join(parts) + "</svg>"


class Picture:
    """A drawing as a display: its SVG."""

    def __init__(self, svg):
        self._svg = svg

    def _repr_svg_(self):
        return self._svg
