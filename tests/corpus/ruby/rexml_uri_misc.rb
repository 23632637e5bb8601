require "rexml/document"
require "uri"
require "ipaddr"
require "pathname"
require "English"
require "open3"
require "socket"
doc = REXML::Document.new("<root><item id='1'>A &amp; B</item><item id='2'><sub/></item></root>")
puts doc.root.name, doc.root.elements["item"].text, doc.elements.to_a("//item").map { |e| e.attributes["id"] }.inspect, REXML::XPath.first(doc, "//sub").parent.attributes["id"]
doc.root.add_element("new", { "k" => "v" }).text = "<x>"
out = +""
REXML::Formatters::Pretty.new(2).write(doc, out)
puts out
uri = URI.parse("https://user:pw@example.com:8443/path/to?q=1&r=a%20b#frag")
puts uri.host, uri.port, uri.path, uri.query, uri.fragment, uri.userinfo, uri.scheme, uri.class, URI.join("http://a.b/c/d", "../e"), URI.encode_www_form(a: 1, b: "x y", c: %w[1 2]), URI.decode_www_form("a=1&b=x+y").inspect, URI.encode_www_form_component("é &"), URI.decode_www_form_component("%C3%A9+%26"), URI("http://x").host
begin
  URI.parse("http://[bad")
rescue URI::InvalidURIError => e
  puts e.class
end
puts URI.extract("see http://a.b and mailto:x@y").size rescue puts "gone"
net = IPAddr.new("192.168.1.0/24")
puts net.include?(IPAddr.new("192.168.1.77")), net.to_range.first, IPAddr.new("::1").ipv6?, net.to_s, net.prefix, IPAddr.new("10.0.0.1").to_i, IPAddr.new("10.0.0.1").succ
begin
  IPAddr.new("300.1.1.1")
rescue IPAddr::InvalidAddressError => e
  puts e.class
end
path = Pathname.new("/usr/local/../lib/file.tar.gz")
puts path.cleanpath, path.basename, path.extname, path.dirname, path.parent.parent, Pathname("a") + "b", Pathname("a/b/c").relative_path_from(Pathname("a")), path.absolute?, Pathname("a/b").each_filename.to_a.inspect, Pathname("x.rb").sub_ext(".py"), Pathname("a") / "b"
"hello" =~ /l+/
puts $MATCH, $PREMATCH, $POSTMATCH, $PROGRAM_NAME == $0, $PID.class
[-> { TCPSocket.new("localhost.invalid", 80) }, -> { Socket.getaddrinfo("nowhere.invalid", 80) }].each do |action|
  action.call
rescue SocketError => e
  puts "SocketError"
end
