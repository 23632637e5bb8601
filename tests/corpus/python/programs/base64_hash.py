import base64, hashlib, hmac, zlib, uuid
print(base64.b64encode(b"hello world"), base64.urlsafe_b64decode("aGk_"), base64.b32encode(b"x"), base64.b85encode(b"data"))
for n in ("md5", "sha1", "sha256", "sha3_256", "blake2b"): print(n, hashlib.new(n, b"abc").hexdigest()[:24])
print(hmac.new(b"k", b"m", "sha256").hexdigest()[:16], zlib.adler32(b"abc"), hashlib.pbkdf2_hmac("sha256", b"p", b"s", 1000).hex()[:16], uuid.uuid5(uuid.NAMESPACE_DNS, "python.org"))
