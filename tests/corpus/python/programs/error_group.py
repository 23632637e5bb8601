def fail():
    raise ExceptionGroup("many", [ValueError("a"), ExceptionGroup("inner", [TypeError("b")])])
fail()
