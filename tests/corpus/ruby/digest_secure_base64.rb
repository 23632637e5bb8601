require "digest"
require "securerandom"
require "base64"
require "openssl"
require "zlib"
puts Digest::MD5.hexdigest("hello"), Digest::SHA1.hexdigest("hello"), Digest::SHA256.hexdigest("hello"), Digest::SHA512.hexdigest("")[0, 20], Digest::SHA384.base64digest("x"), Digest::SHA256.digest("a").bytesize
d = Digest::SHA256.new
d << "hel"
d.update("lo")
puts d.hexdigest == Digest::SHA256.hexdigest("hello"), d.reset.hexdigest[0, 8], d.block_length, d.digest_length
puts Base64.encode64("x" * 50), Base64.strict_encode64("hello?>"), Base64.urlsafe_encode64("hello?>~"), Base64.decode64("aGVsbG8="), Base64.urlsafe_decode64("aGVsbG8_Pn4="), Base64.strict_decode64("aGk=")
begin
  Base64.strict_decode64("a")
rescue ArgumentError => e
  puts e.message
end
puts SecureRandom.hex(8).size, SecureRandom.uuid.match?(/\A\h{8}-\h{4}-4\h{3}-[89ab]\h{3}-\h{12}\z/), SecureRandom.random_number(10).between?(0, 9), SecureRandom.alphanumeric(12).length, SecureRandom.base64(6).size, SecureRandom.random_bytes(5).bytesize, SecureRandom.hex != SecureRandom.hex, SecureRandom.urlsafe_base64.class, SecureRandom.rand.class, [1, 2, 3].shuffle(random: SecureRandom).sort.inspect
puts OpenSSL::HMAC.hexdigest("SHA256", "key", "data"), OpenSSL::Digest::SHA256.hexdigest("a")[0, 10], OpenSSL::Digest.new("SHA1").update("x").hexdigest
cipher = OpenSSL::Cipher.new("aes-256-cbc").encrypt
cipher.key = "k" * 32
cipher.iv = "i" * 16
secret = cipher.update("attack at dawn") + cipher.final
plain = OpenSSL::Cipher.new("aes-256-cbc").decrypt
plain.key = "k" * 32
plain.iv = "i" * 16
puts secret.unpack1("H*"), plain.update(secret) + plain.final
puts Zlib.crc32("hello"), Zlib.adler32("hello"), Zlib::Inflate.inflate(Zlib::Deflate.deflate("abc" * 100)).size, Zlib.gunzip(Zlib.gzip("text")), Zlib.inflate(Zlib.deflate("x", 9))
