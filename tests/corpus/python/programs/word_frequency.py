from collections import Counter
import re
text = """It was the best of times, it was the worst of times,
it was the age of wisdom, it was the age of foolishness"""
words = re.findall(r"[a-z']+", text.lower())
for word, n in Counter(words).most_common(5): print(f"{word:<8}{'#' * n} {n}")
print(len(set(words)), max(words, key=len))
