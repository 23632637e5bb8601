from pathlib import Path, PurePosixPath
p = Path("proj/src"); p.mkdir(parents=True); (p / "a.py").write_text("print(1)\n"); (p / "b.txt").write_text("é", encoding="utf-8")
print(sorted(str(x) for x in Path("proj").rglob("*")), (p / "a.py").suffix, (p / "a.py").stem, p.parent, p.joinpath("x", "..", "y"))
print((p / "b.txt").stat().st_size, (p / "zz").exists(), p.is_dir(), [x.name for x in sorted(p.glob("*.py"))], PurePosixPath("/a/b/c.tar.gz").suffixes)
(p / "a.py").rename(p / "c.py"); (p / "b.txt").unlink(); print(sorted(x.name for x in p.iterdir()), Path("/a/b").relative_to("/a"), Path("a").with_suffix(".md"))
