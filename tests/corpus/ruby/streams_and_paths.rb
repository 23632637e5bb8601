# Streams: StringIO, ARGF at its end, encodings, tempfiles, formatting.
require "stringio"
require "tempfile"
require "tmpdir"
require "fileutils"
require "digest"
require "base64"
require "zlib"
require "securerandom"
require "erb"
require "open3"
require "pathname"

io = StringIO.new("one\ntwo\n\nthree")
p io.gets, io.read(2), io.getc, io.ungetc("Z"), io.gets(""), io.readlines, io.eof?, io.gets
out = StringIO.new
out.puts [1, [2, nil]], :sym
out.print "a", "b"
out.printf("%03d\n", 7)
out << "x" << 1 << "\n"
out.write("p", "q")
out.putc "!"
p out.string, out.pos
begin
  StringIO.new("x", "r").write("y")
rescue IOError => e
  puts e.message
end
p gets, $stdin.read, $stdin.gets, ARGV, STDIN.eof?
begin
  $stdin.readline
rescue EOFError => e
  puts e.message
end
Dir.mktmpdir do |dir|
  path = Pathname(dir) / "deep" / "er" / "file.txt"
  path.dirname.mkpath
  path.write("héllo\nwörld\n")
  p path.read.size, path.size, path.extname, path.basename(".txt").to_s, path.each_line.map(&:chomp), path.file?, path.relative_path_from(Pathname(dir)).to_s
  FileUtils.cp_r(File.join(dir, "deep"), File.join(dir, "copy"))
  p Dir.glob("**/*", base: dir).sort, Dir.exist?(File.join(dir, "copy", "er"))
  File.open(path, "r+b") { |f| f.seek(-3, IO::SEEK_END); p f.read; f.truncate(4); f.rewind; p f.read }
  File.open(path, "a") { |f| f.puts "more"; f.flush; p f.path == path.to_s, f.closed? }
  File.rename(path, "#{path}.bak")
  p File.exist?(path), File.size("#{path}.bak"), File.ftype(dir)
  begin
    File.read(path)
  rescue SystemCallError => e
    puts e.class, e.message.sub(dir, "DIR")
  end
  begin
    Dir.rmdir(dir)
  rescue SystemCallError => e
    puts e.class
  end
end
f = Tempfile.new(["a", ".log"])
f.write("temp")
f.close
p File.read(f.path), File.extname(f.path), f.unlink, f.path.inspect
s = "naïve ☕"
p s.bytes.size, s.encoding, s.encode("ISO-8859-1", undef: :replace).bytes.last, s.unicode_normalize(:nfd).size, s.force_encoding("BINARY").valid_encoding?, "\xff".scrub("?"), "a\xffb".valid_encoding?
begin
  "é".encode("US-ASCII")
rescue EncodingError => e
  puts e.class, e.message
end
p Digest::SHA256.hexdigest("a")[0, 8], Base64.strict_encode64("hi\xff"), Base64.urlsafe_decode64("aGk_"), Zlib.crc32("abc"), Zlib.inflate(Zlib.deflate("x" * 50)).size, SecureRandom.hex(3).size
gz = StringIO.new
Zlib::GzipWriter.wrap(gz) { |w| w.write("zipped"); w.finish }
p Zlib::GzipReader.new(StringIO.new(gz.string)).read, ["abc"].pack("m0"), [1, 2].pack("S>L<").bytes, "ab".unpack1("H*"), [65, 66].pack("U*")
puts ERB.new("<% [1,2].each do |i| %><li><%= i %></li><% end %>\n<%# c %>done", trim_mode: "<>").result, ERB::Util.html_escape("<&>")
$stdout.puts "%-10s|%+5d|%05.1f|%x|%o|%e|%s" % ["left", 5, 3.14159, 255, 8, 12345.678, :sym]
$stderr.puts "to stderr"
$stdout.sync = true
print "no newline"
$stdout.flush
puts
pp({ list: (1..40).to_a, nested: { a: "x" * 60 } }.keys)
puts <<~A + <<~B
  first #{1 + 1}
    indented
A
  second
B
exit 2
