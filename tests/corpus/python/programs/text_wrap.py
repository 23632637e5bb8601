import textwrap
t = "The quick brown fox jumps over the lazy dog. " * 3
print(textwrap.fill(t, width=40, initial_indent="* ", subsequent_indent="  "))
print(textwrap.shorten(t, 30), textwrap.dedent("    a\n      b\n"), textwrap.indent("x\ny", "> "))
