open("helper.py", "w").write("VALUE = 42\ndef greet(n): return f'hi {n}'\n")
import helper
from helper import greet
print(helper.VALUE, greet("x"), helper.__name__)
import os; os.makedirs("pkg/sub"); open("pkg/__init__.py", "w").write("from .a import A\n"); open("pkg/a.py", "w").write("A = 'a'\n"); open("pkg/sub/__init__.py", "w").close()
import importlib; importlib.invalidate_caches()
import pkg, pkg.sub; print(pkg.A, pkg.sub.__name__, importlib.import_module("pkg.a").A)
