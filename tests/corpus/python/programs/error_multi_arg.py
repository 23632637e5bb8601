def area(width, height): return width * height
area(3)
