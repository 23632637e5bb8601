from unittest.mock import Mock, patch, MagicMock
m = Mock(return_value=3); print(m(1, a=2), m.call_args, m.called); m.assert_called_once_with(1, a=2)
with patch("os.getcwd", return_value="/fake"):
    import os; print(os.getcwd())
def sq(x):
    """
    >>> sq(3)
    9
    >>> sq(2)
    5
    """
    return x * x
import doctest, io, contextlib
b = io.StringIO()
with contextlib.redirect_stdout(b): r = doctest.testmod()
print(r)
