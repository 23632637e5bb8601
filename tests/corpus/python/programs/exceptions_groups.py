try: raise ExceptionGroup("eg", [ValueError(1), TypeError(2), ExceptionGroup("in", [OSError(3)])])
except* ValueError as g: print("V", g.exceptions)
except* (TypeError, OSError) as g: print("T", len(g.exceptions), g)
