import argparse
p = argparse.ArgumentParser(prog="tool", description="A tool")
p.add_argument("files", nargs="+"); p.add_argument("-v", "--verbose", action="count", default=0); p.add_argument("--size", type=int, choices=[1, 2], default=1)
a = p.parse_args(["x", "y", "-vv", "--size", "2"]); print(a.files, a.verbose, a.size)
sub = argparse.ArgumentParser(prog="git"); sp = sub.add_subparsers(dest="cmd"); c = sp.add_parser("commit"); c.add_argument("-m")
print(vars(sub.parse_args(["commit", "-m", "msg"])))
