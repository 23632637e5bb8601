import sqlite3
db = sqlite3.connect(":memory:"); db.row_factory = sqlite3.Row
db.executescript("create table users(id integer primary key, name text unique, age int); create table posts(uid int, t text);")
db.executemany("insert into users(name, age) values(?, ?)", [("ann", 30), ("bob", 25), ("cid", 35)])
db.execute("insert into posts values(1, 'hi'), (1, 'yo'), (2, 'x')"); db.commit()
for r in db.execute("select u.name, count(p.t) n from users u left join posts p on p.uid = u.id group by u.id order by n desc, u.name"): print(r["name"], r["n"])
try: db.execute("insert into users(name) values('ann')")
except sqlite3.IntegrityError as e: print(e)
with db: db.execute("update users set age = age + 1 where name = :n", {"n": "bob"})
print([tuple(r) for r in db.execute("select * from users where age > ?", (25,))], db.total_changes)
db.create_function("double", 1, lambda x: x * 2); print(db.execute("select double(21)").fetchone()[0])
