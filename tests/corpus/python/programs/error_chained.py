def read(path):
    try:
        return open(path).read()
    except FileNotFoundError as e:
        raise RuntimeError("could not load settings") from None
def main():
    read("settings.ini")
main()
