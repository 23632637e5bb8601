import zipfile, tarfile, io
with zipfile.ZipFile("a.zip", "w", zipfile.ZIP_DEFLATED) as z:
    z.writestr("x.txt", "hello"); z.writestr("d/y.txt", "world" * 10)
with zipfile.ZipFile("a.zip") as z: print(z.namelist(), z.read("x.txt"), z.testzip(), z.getinfo("d/y.txt").file_size)
open("f.txt", "w").write("tar me")
with tarfile.open("t.tar.gz", "w:gz") as t: t.add("f.txt")
with tarfile.open("t.tar.gz") as t: print(t.getnames(), t.extractfile("f.txt").read())
