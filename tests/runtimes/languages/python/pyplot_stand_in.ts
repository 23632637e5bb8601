/** A stand-in for matplotlib, for tests: a package whose images tell what was drawn. */

const PACKAGE = `
import os
__version__ = "3.10.8"
rcParams = {"backend": os.environ.get("MPLBACKEND") or "tkagg"}
def get_backend():
    return rcParams["backend"]
def use(backend, *, force=True):
    rcParams["backend"] = backend.lower()
`;

const FIGURE = `
class Figure:
    def __init__(self, number=None):
        self.number = number
        self.drawn = []
    def __repr__(self):
        return f"<Figure {self.number}>"
    def savefig(self, fname, *, format=None, **kwargs):
        if not self.drawn:
            self.drawn.append("nothing")
        if "error" in self.drawn:
            raise ValueError("cannot draw")
        content = f"{format} of {self.drawn}".encode()
        if isinstance(fname, str):
            with open(fname, "wb") as file:
                file.write(content)
        else:
            fname.write(content)
    def show(self, warn=True):
        import warnings
        warnings.warn("FigureCanvasAgg is non-interactive, and thus cannot be shown", stacklevel=2)
`;

const PYPLOT = `
import warnings
from matplotlib.figure import Figure
_figures = {}
def figure(num=None):
    if num is None:
        num = max(_figures, default=0) + 1
    figure = _figures.pop(num, None) or Figure(num)
    _figures[num] = figure
    return figure
def gcf():
    return list(_figures.values())[-1] if _figures else figure()
def get_fignums():
    return sorted(_figures)
def plot(*values):
    gcf().drawn.extend(values)
    return [object()]
def savefig(*args, **kwargs):
    gcf().savefig(*args, **kwargs)
def close(fig=None):
    if fig == "all":
        _figures.clear()
    else:
        number = gcf().number if fig is None else getattr(fig, "number", fig)
        _figures.pop(number, None)
def show(*args, **kwargs):
    if _figures:
        warnings.warn("FigureCanvasAgg is non-interactive, and thus cannot be shown", stacklevel=2)
`;

/** The sources, by path. */
export const PYPLOT_STAND_IN: Readonly<Record<string, string>> = {
  "matplotlib/__init__.py": PACKAGE,
  "matplotlib/figure.py": FIGURE,
  "matplotlib/pyplot.py": PYPLOT,
};
