rooms = {"hall": {"north": "kitchen"}, "kitchen": {"south": "hall", "east": "garden"}, "garden": {"west": "kitchen"}}
pos, path = "hall", []
for cmd in "north east up west south".split():
    if cmd in rooms[pos]: pos = rooms[pos][cmd]; path.append(pos)
    else: print(f"You can't go {cmd} from the {pos}.")
print(path)
