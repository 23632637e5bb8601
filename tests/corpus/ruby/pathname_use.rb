require "pathname"
p1 = Pathname.new("/usr/lib/ruby")
puts p1 + "x.rb", p1.parent, p1.basename, p1 / "a" / "b", p1.absolute?, p1.each_filename.to_a.inspect
puts Pathname("a/../b").cleanpath, Pathname("x.tar.gz").extname, Pathname("a/b").relative_path_from(Pathname("a/c"))
f = Pathname("note.txt")
f.write("hello")
puts f.read, f.size, f.exist?, f.sub_ext(".md"), f.delete, f.exist?
