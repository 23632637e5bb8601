require "fileutils"
require "tmpdir"
Dir.mktmpdir do |dir|
  Dir.chdir(dir) do
    File.write("a.txt", "one\ntwo\nthree\n")
    File.open("b.txt", "w") { |f| f.puts "x", 1; f.print "y"; f << "z" << "\n"; f.printf("%03d\n", 7) }
    puts File.read("b.txt"), File.size("a.txt"), File.exist?("c"), File.readlines("a.txt", chomp: true).inspect
    File.open("a.txt", "a") { |f| f.write("four\n") }
    File.foreach("a.txt").with_index(1) { |line, i| puts "#{i} #{line}" }
    FileUtils.mkdir_p("x/y/z")
    FileUtils.cp("a.txt", "x/y/copy.txt")
    FileUtils.mv("b.txt", "x/moved.txt")
    puts Dir.glob("**/*").sort.inspect, Dir.children("x").sort.inspect, Dir.exist?("x/y"), File.directory?("x"), File.file?("x")
    puts File.basename("x/y/copy.txt", ".txt"), File.extname("a.rb"), File.dirname("/p/q.r"), File.join("a", "b"), File.split("/a/b").inspect
    File.open("a.txt") do |f|
      f.seek(4)
      puts f.gets, f.pos, f.read(3), f.eof?, f.lineno, f.getc.inspect, f.readline.inspect
      f.rewind
      puts f.each_char.first(3).join
    end
    File.open("bin", "wb") { |f| f.write([1, 2, 255].pack("C*")) }
    puts File.binread("bin").bytes.inspect, File.open("bin", "rb", &:read).encoding
    File.open("rw", "w+") { |f| f.write("hello"); f.rewind; f.write("J"); f.rewind; puts f.read }
    File.rename("rw", "renamed")
    File.delete("renamed")
    FileUtils.rm_rf("x")
    puts Dir.entries(".").sort.inspect, File.zero?("bin"), File.stat("a.txt").size, File.stat("a.txt").file?
    begin
      File.read("missing")
    rescue Errno::ENOENT => e
      puts e.class, e.message
    end
    begin
      Dir.mkdir("no/such/dir")
    rescue SystemCallError => e
      puts e.class
    end
    IO.write("io.txt", "abc")
    puts IO.read("io.txt"), File.new("io.txt").read(2), File.expand_path("/a/../b/./c"), File.absolute_path?("/x")
    puts File.truncate("io.txt", 1), File.read("io.txt"), File.utime(0, 0, "io.txt"), File.mtime("io.txt").to_i
  end
end
