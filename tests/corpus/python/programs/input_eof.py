try:
    name = input("Your name: ")
except EOFError as e:
    print("\nno input:", e)
