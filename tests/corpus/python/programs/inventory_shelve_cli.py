"""A small command line over a shelf: each command is one call of main."""
import argparse
import shelve
import shlex


def build():
    parser = argparse.ArgumentParser(prog="stock")
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add", help="put things in")
    add.add_argument("name")
    add.add_argument("count", type=int, nargs="?", default=1)
    take = commands.add_parser("take")
    take.add_argument("name")
    take.add_argument("--all", action="store_true")
    commands.add_parser("list").add_argument("--sort", choices=("name", "count"), default="name")
    return parser


def main(line):
    try:
        args = build().parse_args(shlex.split(line))
    except SystemExit as stop:
        print("->", stop.code)
        return
    with shelve.open("stock") as shelf:
        match args.command, vars(args):
            case "add", {"name": name, "count": count}:
                shelf[name] = shelf.get(name, 0) + count
                print(name, shelf[name])
            case "take", {"name": name, "all": everything}:
                if name not in shelf:
                    print("there is no", name)
                elif everything or shelf[name] == 1:
                    del shelf[name]
                else:
                    shelf[name] -= 1
            case "list", {"sort": by}:
                for item in sorted(shelf.items(), key=lambda kv: (kv[1], kv[0]) if by == "count" else kv):
                    print("  %-8s%4d" % item)


for line in (
    "add bolt 10", "add 'hex nut' 3", "add washer", "list", "take bolt", "take washer", "take gear",
    "take 'hex nut' --all", "list --sort count", "add x many", "take",
):
    print("$", line)
    main(line)
