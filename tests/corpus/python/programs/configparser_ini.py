import configparser
c = configparser.ConfigParser()
c.read_string("[db]\nhost = localhost\nport = 5432\nurl = %(host)s:%(port)s\n[flags]\ndebug = yes\n")
print(c.sections(), c["db"]["url"], c.getint("db", "port"), c.getboolean("flags", "debug"), c.get("db", "user", fallback="root"))
import tomllib
print(tomllib.loads('title = "T"\n[a]\nb = [1, 2]\nd = 2024-01-01\n'))
