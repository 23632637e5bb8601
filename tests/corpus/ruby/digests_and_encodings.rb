require "digest"
require "securerandom"
puts Digest::MD5.hexdigest("abc"), Digest::SHA256.hexdigest("abc"), Digest::SHA1.hexdigest(""), Digest::SHA512.hexdigest("x")[0, 16]
d = Digest::SHA256.new
d << "a" << "bc"
puts d.hexdigest == Digest::SHA256.hexdigest("abc"), d.digest.bytesize
puts ["hello"].pack("m0"), "aGVsbG8=".unpack1("m"), [1, 2].pack("s>l<").bytes.inspect, ["616263"].pack("H*"), "abc".unpack1("H*"), [1.5].pack("g").bytes.inspect
puts SecureRandom.hex(4).size, SecureRandom.uuid =~ /\A\h{8}-\h{4}-4/, SecureRandom.random_number(10).between?(0, 9), SecureRandom.alphanumeric(5).size
s = "caf\u00e9"
puts s.encoding, s.bytes.inspect, s.encode("ISO-8859-1").bytes.inspect, s.force_encoding("BINARY").length, "\xff".valid_encoding?, "\xff".scrub("?"), "abc".encode("UTF-16LE").bytesize
puts "日本語".chars.inspect, "日本".codepoints.inspect, [0x1F600].pack("U").bytesize, "e\u0301".grapheme_clusters.size, "ÀÉ".downcase, "straße".length
begin
  "\u00e9".encode("US-ASCII")
rescue Encoding::UndefinedConversionError => e
  puts e.class
end
puts "\u00e9a".encode("US-ASCII", undef: :replace, replace: "?"), "a".encoding, :a.encoding, "é".unicode_normalize(:nfd).codepoints.size, Encoding.default_external
