value = 10
print(valu)
