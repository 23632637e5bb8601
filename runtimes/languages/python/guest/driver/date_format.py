"""`strftime` as on Linux: adds the directives, flags and widths that this C library lacks, and copies
unknown directives unchanged. `datetime` and `logging` use it too: both call `time.strftime`."""

import re
import time

_strftime, _now = time.strftime, time.localtime
_OWN = "aAbBcCdDeFgGhHIjmMnprRsStTuUVwWxXyYzZ"
_KNOWN = frozenset(f"{_OWN}klP")
_NUMERIC = frozenset("CdegGHIjklmMsSuUVwWyY")
_PADDED_WITH_SPACES = frozenset("ekl")
_LOWERED = frozenset("pZ")
_DIRECTIVE = re.compile(r"%([-_0^#]*)(\d*)([EO]?)(.?)", re.DOTALL)
# Matches up to the first directive that the C library does not support; most formats have none.
_find_other = re.compile(f"(?:[^%]|%[-_0]?[EO]?[{_OWN}]|%%)*+(?=%)").match
_replace_directives = _DIRECTIVE.sub


def _plain(kind, at):
    """The result of a directive without flags and width."""
    if kind == "P":
        return _strftime("%p", at).lower()
    if kind in "kl":
        return _strftime("%H" if kind == "k" else "%I", at)
    return _strftime(f"%{kind}", at)


def _number(text, kind, flags, width):
    if text.startswith("-"):
        return text.rjust(width)
    padding = " " if kind in _PADDED_WITH_SPACES else "0"
    natural = len(text)
    for flag in flags:
        if flag in "_0":
            padding = " " if flag == "_" else "0"
        elif flag == "-":
            padding, natural = " ", 0
    return (text.lstrip(" 0") or "0").rjust(max(width, natural), padding)


def _word(text, kind, flags, width):
    if "^" in flags or "#" in flags and kind not in _LOWERED:
        text = text.upper()
    elif "#" in flags:
        text = text.lower()
    return text.rjust(width, "0" if "0" in flags else " ")


def _expanded(format, at):
    def expand(found):
        flags, width, _, kind = found.groups()
        if kind not in _KNOWN:
            return "%%" if kind == "%" else found[0].replace("%", "%%")
        text = _plain(kind, at)
        form = _number if kind in _NUMERIC else _word
        return form(text, kind, flags, int(width or 0)).replace("%", "%%")

    return _replace_directives(expand, format)


def strftime(format, *time_tuple):
    if not isinstance(format, str) or len(time_tuple) > 1 or not _find_other(format):
        return _strftime(format, *time_tuple)
    at = time_tuple[0] if time_tuple else _now()
    return _strftime(_expanded(format, at), at)


def install():
    """Replaces `time.strftime`. Called once, before the image is taken."""
    strftime.__module__, strftime.__doc__ = "time", _strftime.__doc__
    time.strftime = strftime
