"""`ctypes` for data: types, structures, arrays and the program's own memory. There are no foreign functions.

The library's own `cast`, `string_at` and their like call functions of the interpreter by their address. These
ones read and write memory through ctypes' own arrays. The package imports this module at its end."""

import _ctypes
import ctypes

_NO_FUNCTIONS = "foreign functions and libraries are not available here"
# Memory is searched for the end of a text in parts that end where a page of WebAssembly does.
_PAGE_BYTES = 65_536
_TEXT_BYTES = ctypes.sizeof(ctypes.c_wchar)


def _refuse(*args, **kwargs):
    raise OSError(_NO_FUNCTIONS)


def _address_of(value):
    """The address that a value stands for, as an argument of a function that takes `void *`."""
    if value is None:
        return 0
    if isinstance(value, int):
        return value & 0xFFFFFFFF
    if isinstance(value, bytes):
        return ctypes.c_void_p.from_buffer(ctypes.c_char_p(value)).value
    if isinstance(value, ctypes.Array):
        return ctypes.addressof(value)
    pointers = (ctypes._Pointer, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_wchar_p, ctypes._CFuncPtr)
    if isinstance(value, pointers):
        return ctypes.c_void_p.from_buffer(value).value or 0
    if type(value).__name__ == "CArgObject":  # of byref(); only its text has the address with the offset
        return int(repr(value).rpartition("(")[2].rstrip(")>"), 16)
    if hasattr(value, "_as_parameter_"):
        return _address_of(value._as_parameter_)
    raise ctypes.ArgumentError(f"argument 1: TypeError: '{type(value).__name__}' is no address")


def _bytes_at(address, size):
    if size < 0:
        raise ValueError("negative size")
    if address == 0 and size > 0:
        raise ValueError("NULL pointer access")
    return (ctypes.c_char * size).from_address(address)


def _length_at(address, unit):
    """The bytes before the first zero unit at an address."""
    length = 0
    zero = bytes(unit)
    while True:
        begin = address + length
        part = bytes(_bytes_at(begin, _PAGE_BYTES - begin % _PAGE_BYTES))
        if unit == 1:
            end = part.find(zero)
        else:
            end = next((at for at in range(0, len(part), unit) if part[at : at + unit] == zero), -1)
        if end >= 0:
            return length + end
        length += len(part)


def cast(obj, typ):
    """Returns a new instance of a pointer type that points to the memory of `obj`."""
    kinds = (ctypes._Pointer, ctypes._SimpleCData, ctypes._CFuncPtr)
    simple = getattr(typ, "_type_", "P")
    if not (isinstance(typ, type) and issubclass(typ, kinds)) or (type(simple) is str and simple not in "sPzUZXO"):
        raise TypeError(f"cast() argument 2 must be a pointer, not {getattr(typ, '__name__', typ)}")
    result = typ()
    ctypes.c_void_p.from_buffer(result).value = _address_of(obj)
    result.__dict__["_cast_from"] = obj  # keeps the memory alive
    return result


def memmove(dst, src, count):
    """memmove(dst, src, count): copies bytes, also between overlapping places; returns the address dst."""
    to = _address_of(dst)
    data = bytes(_bytes_at(_address_of(src), count))
    memoryview(_bytes_at(to, count)).cast("B")[:] = data
    return to


def memset(dst, c, count):
    """memset(dst, c, count): sets bytes to the value c; returns the address dst."""
    to = _address_of(dst)
    memoryview(_bytes_at(to, count)).cast("B")[:] = bytes([c & 0xFF]) * count
    return to


def string_at(ptr, size=-1):
    """string_at(ptr[, size]) -> string

    Return the byte string at void *ptr."""
    address = _address_of(ptr)
    return bytes(_bytes_at(address, size if size >= 0 else _length_at(address, 1)))


def wstring_at(ptr, size=-1):
    """wstring_at(ptr[, size]) -> string

    Return the wide-character string at void *ptr."""
    address = _address_of(ptr)
    count = size * _TEXT_BYTES if size >= 0 else _length_at(address, _TEXT_BYTES)
    return bytes(_bytes_at(address, count)).decode("utf-32-le", "surrogatepass")


def memoryview_at(ptr, size, readonly=False):
    """memoryview_at(ptr, size[, readonly]) -> memoryview

    Return a memoryview representing the memory at void *ptr."""
    view = memoryview(_bytes_at(_address_of(ptr), size)).cast("B")
    return view.toreadonly() if readonly else view


class _CFuncPtr(ctypes._CFuncPtr):
    _flags_ = ctypes._FUNCFLAG_CDECL
    _restype_ = ctypes.c_int

    def __new__(cls, *args):
        if args and not isinstance(args[0], int):
            _refuse()
        return _ctypes.CFuncPtr.__new__(cls, *args)

    __call__ = _refuse


def _no_function(self, name):
    """A library has no functions; what Python itself looks up is missing as usual."""
    if name.startswith("__") and name.endswith("__"):
        raise AttributeError(name)
    _refuse()


def _install():
    for function in (cast, memmove, memset, string_at, wstring_at, memoryview_at):
        function.__module__ = "ctypes"
        setattr(ctypes, function.__name__, function)
    for name in ("dlopen", "dlsym", "dlclose", "call_function", "call_cdeclfunction"):
        setattr(_ctypes, name, _refuse)
    _CFuncPtr.__module__, _CFuncPtr.__qualname__ = "_ctypes", "CFuncPtr"
    ctypes._CFuncPtr = _CFuncPtr
    ctypes._reset_cache()
    ctypes.CDLL.__init__ = _refuse
    ctypes.CDLL.__getattr__ = ctypes.CDLL.__getitem__ = _no_function


_install()
