"""The only browsers are those that a program registers; without one, opening a page is an error."""

__all__ = ["Error", "open", "open_new", "open_new_tab", "get", "register"]


class Error(Exception):
    """No browser can be found."""


_browsers = {}


def register(name, klass, instance=None, *, preferred=False):
    """Registers a browser of the program's own."""
    _browsers[name] = instance, klass
    if preferred or None not in _browsers:
        _browsers[None] = _browsers[name]


def get(using=None):
    """A browser that the program has registered."""
    instance, klass = _browsers.get(using, (None, None))
    if instance is None and klass is None:
        raise Error("could not locate runnable browser")
    return klass() if instance is None else instance


def open(url, new=0, autoraise=True):
    """Shows a page in the registered browser."""
    return bool(get().open(url, new, autoraise))


def open_new(url):
    """Shows a page in a new window."""
    return open(url, 1)


def open_new_tab(url):
    """Shows a page in a new tab."""
    return open(url, 2)
