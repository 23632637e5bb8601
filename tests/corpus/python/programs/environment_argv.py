import os, sys
print(os.environ.get("NOPE", "default"), len(sys.argv), __name__, isinstance(sys.version_info.major, int), sys.byteorder, sys.getrecursionlimit())
os.environ["MINE"] = "1"; print(os.getenv("MINE"), "MINE" in os.environ); del os.environ["MINE"]; print(os.getenv("MINE"))
if __name__ == "__main__": print("main")
