s = "  Hello, World! Hello!  "
print(s.strip().split(", "), s.count("Hello"), s.find("World"), s.replace("Hello", "Bye", 1).strip())
print("a-b-c".rsplit("-", 1), "key=val=x".partition("="), "Title Case".swapcase(), "abc".isalpha(), "12".isdigit())
print("x".join("abc"), "line1\nline2\r\nline3".splitlines(), "prefix_name".removeprefix("prefix_"), "abc"[::-1])
print("abc" < "abd", "a" * 3, "é" in "café", ord("€"), chr(128640), "ß".upper())
