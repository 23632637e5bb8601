"""Colours: their names, and numbers for red, green and blue."""

import re


class TurtleGraphicsError(Exception):
    """A drawing is told something that it cannot do."""


# The names of SVG. Tk knows them too, in any case and with blanks.
_NAMES = frozenset("""
aliceblue antiquewhite aqua aquamarine azure beige bisque black blanchedalmond blue blueviolet brown burlywood
cadetblue chartreuse chocolate coral cornflowerblue cornsilk crimson cyan darkblue darkcyan darkgoldenrod darkgray
darkgreen darkgrey darkkhaki darkmagenta darkolivegreen darkorange darkorchid darkred darksalmon darkseagreen
darkslateblue darkslategray darkslategrey darkturquoise darkviolet deeppink deepskyblue dimgray dimgrey dodgerblue
firebrick floralwhite forestgreen fuchsia gainsboro ghostwhite gold goldenrod gray green greenyellow grey honeydew
hotpink indianred indigo ivory khaki lavender lavenderblush lawngreen lemonchiffon lightblue lightcoral lightcyan
lightgoldenrodyellow lightgray lightgreen lightgrey lightpink lightsalmon lightseagreen lightskyblue lightslategray
lightslategrey lightsteelblue lightyellow lime limegreen linen magenta maroon mediumaquamarine mediumblue
mediumorchid mediumpurple mediumseagreen mediumslateblue mediumspringgreen mediumturquoise mediumvioletred
midnightblue mintcream mistyrose moccasin navajowhite navy oldlace olive olivedrab orange orangered orchid
palegoldenrod palegreen paleturquoise palevioletred papayawhip peachpuff peru pink plum powderblue purple
rebeccapurple red rosybrown royalblue saddlebrown salmon sandybrown seagreen seashell sienna silver skyblue slateblue
slategray slategrey snow springgreen steelblue tan teal thistle tomato turquoise violet wheat white whitesmoke yellow
yellowgreen
""".split())
# Names of Tk that SVG lacks.
_OTHER_NAMES = {
    "lightgoldenrod": "#eedd82", "lightslateblue": "#8470ff", "navyblue": "navy", "violetred": "#d02090",
}
_is_number = re.compile(r"#(?:[0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})").fullmatch
_numbered = re.compile(r"([a-z]+?)([0-9]{1,3})").fullmatch


def svg_color(text):
    """The colour of SVG for one of Tk; None if there is none of that name. An empty name is no colour."""
    if text == "":
        return "none"
    if _is_number(text):
        return text
    name = text.replace(" ", "").lower()
    if name in _NAMES:
        return name
    found = _numbered(name)
    if found is not None:
        base, number = found[1], int(found[2])
        if base in ("gray", "grey") and number <= 100:
            return "#" + f"{round(number * 2.55):02x}" * 3
        # Four shades of a name; SVG has the first of them.
        name = base if 1 <= number <= 4 else name
    return name if name in _NAMES else _OTHER_NAMES.get(name)


def color_text(given, mode):
    """A colour as text: a name, or three numbers from 0 to `mode`, together or each by itself."""
    if len(given) == 1:
        given = given[0]
    if isinstance(given, str):
        if svg_color(given) is None:
            raise TurtleGraphicsError(f"bad color string: {given}")
        return given
    try:
        red, green, blue = given
        if mode == 1.0:
            red, green, blue = (round(255.0 * part) for part in (red, green, blue))
        if not all(0 <= part <= 255 for part in (red, green, blue)):
            raise TurtleGraphicsError(f"bad color sequence: {given}")
        return f"#{int(red):02x}{int(green):02x}{int(blue):02x}"
    except (TypeError, ValueError):
        raise TurtleGraphicsError(f"bad color arguments: {given}") from None


def color_value(text, mode):
    """A colour as programs read it: its name, or three numbers from 0 to `mode`."""
    if not text.startswith("#"):
        return text
    digits = text[1:] if len(text) == 7 else "".join(digit * 2 for digit in text[1:])
    return tuple(int(digits[at : at + 2], 16) * mode / 255 for at in (0, 2, 4))
