import tokenize, io, keyword
print([t.string for t in tokenize.generate_tokens(io.StringIO("x = a + 1 # c\n").readline) if t.string.strip()], keyword.iskeyword("lambda"))
