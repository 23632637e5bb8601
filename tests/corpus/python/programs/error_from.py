try:
    {}["k"]
except KeyError as e:
    raise LookupError("outer") from e
