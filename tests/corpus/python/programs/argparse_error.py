import argparse
p = argparse.ArgumentParser(prog="tool")
p.add_argument("--n", type=int, required=True)
p.parse_args([])
