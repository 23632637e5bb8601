import warnings
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    warnings.warn("old", DeprecationWarning); warnings.warn("careful")
    print([(x.category.__name__, str(x.message)) for x in w])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try: warnings.warn("fatal")
    except UserWarning as e: print("raised", e)
