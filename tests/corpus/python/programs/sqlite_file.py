import sqlite3, os
c = sqlite3.connect("app.db"); c.execute("create table if not exists kv(k text primary key, v)"); c.execute("insert into kv values('a', 1)"); c.commit(); c.close()
c = sqlite3.connect("app.db"); print(c.execute("select * from kv").fetchall(), os.path.getsize("app.db") > 0)
c.execute("begin"); c.execute("delete from kv"); c.rollback(); print(c.execute("select count(*) from kv").fetchone())
