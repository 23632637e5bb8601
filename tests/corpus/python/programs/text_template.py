from string import Template, ascii_lowercase, punctuation, capwords
t = Template("Dear $name, you owe $$${amount}.")
print(t.substitute(name="Bob", amount=12.5), t.safe_substitute(name="X"))
try: t.substitute(name="q")
except KeyError as e: print("missing", e)
print(ascii_lowercase[:5], len(punctuation), capwords("hello there world"))
