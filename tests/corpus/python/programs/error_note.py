e = ValueError("base")
e.add_note("extra context")
e.add_note("more")
raise e
