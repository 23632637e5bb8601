require "stringio"
require "tempfile"
require "fileutils"
require "tmpdir"
io = StringIO.new("line 1\nline 2\nline 3\n")
puts io.gets, io.read(4), io.readline.chomp, io.eof?, io.pos, io.read, io.read.inspect, io.eof?
io.rewind
puts io.each_line.with_index(1).map { |line, n| "#{n}:#{line.chomp}" }.join("|"), io.string.lines.size
out = StringIO.new
out << "a" << 1
out.puts [1, [2, [nil]]], :x
out.printf("%03d\n", 7)
out.print "no newline", "\n"
out.write("w", 1, "\n")
puts out.string
def capture
  before = $stdout
  $stdout = StringIO.new
  yield
  $stdout.string
ensure
  $stdout = before
end
puts capture { puts "hidden"; print 1, 2; p :x }.inspect
Tempfile.create("demo") do |file|
  file.write("temp data\n" * 3)
  file.flush
  file.rewind
  puts file.readlines.size, File.exist?(file.path), File.basename(file.path).start_with?("demo")
end
temp = Tempfile.new(["x", ".txt"])
temp.puts "hello"
temp.close
puts File.read(temp.path), File.extname(temp.path)
temp.unlink
Dir.mktmpdir do |dir|
  FileUtils.mkdir_p(File.join(dir, "a/b"))
  FileUtils.touch(File.join(dir, "a/b/c.txt"))
  File.write(File.join(dir, "a/d.rb"), "puts 1")
  puts Dir.glob("**/*", base: dir).sort.inspect, Dir.exist?(File.join(dir, "a")), Dir.children(File.join(dir, "a")).sort.inspect, Dir.entries(dir).sort.inspect, Dir.empty?(dir)
  FileUtils.cp(File.join(dir, "a/d.rb"), File.join(dir, "e.rb"))
  FileUtils.mv(File.join(dir, "e.rb"), File.join(dir, "f.rb"))
  puts File.file?(File.join(dir, "f.rb")), Dir[File.join(dir, "*.rb")].map { |f| File.basename(f, ".rb") }.inspect
  FileUtils.rm_rf(File.join(dir, "a"))
  puts Dir.children(dir).inspect
end
File.open("log.txt", "a") { |f| f.puts "first"; f.puts "second" }
File.open("log.txt", "a+") { |f| f.puts "third"; f.rewind; puts f.read }
puts File.foreach("log.txt").map(&:chomp).inspect, File.readlines("log.txt", chomp: true).last, File.size("log.txt"), File.zero?("log.txt"), File.stat("log.txt").size, File.ftype("log.txt"), IO.readlines("log.txt").size, File.read("log.txt", 5), File.read("log.txt", 5, 6)
File.open("log.txt", "r+") { |f| f.seek(-6, IO::SEEK_END); f.write("THIRD"); f.seek(0); puts f.gets; puts f.lineno, f.tell; f.truncate(12) }
puts File.read("log.txt").inspect, File.rename("log.txt", "b.txt"), File.exist?("log.txt"), File.delete("b.txt")
begin
  File.read("missing.txt")
rescue Errno::ENOENT => e
  puts e.message, e.class
end
begin
  File.open("d.txt", "w") { |f| f.read }
rescue IOError => e
  puts e.message
end
puts File.join("a", "/b", "c"), File.expand_path("x/../y", "/base"), File.dirname("/a/b/c.rb"), File.basename("/a/b.rb", ".*"), File.extname("a.tar.gz"), File.split("/a/b").inspect, File.absolute_path?("/x")
File.binwrite("bin", [0, 255, 128].pack("C*"))
puts File.binread("bin").bytes.inspect, File.binread("bin").encoding, File.size("bin")
puts $stdin.read.inspect, $stdin.eof?
$stderr.puts "to stderr"
warn "warned"
STDOUT.write("written\n")
STDOUT << "chained" << "\n"
$stdout.flush
$stdout.sync = true
puts [nil].inspect, [[], [nil], nil].to_s
puts nil, [nil], [], [[]]
print "a", "b\n"
p
p 1, 2
pp({ a: 1 }.keys)
putc "x"; putc 10
