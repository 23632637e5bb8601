import html, urllib.parse as u
from html.parser import HTMLParser
print(html.escape("<a href='x'>&</a>"), html.unescape("&lt;&eacute;&#33;"))
r = u.urlparse("https://user@ex.com:8080/p/a?q=1&q=2&z=%20#frag"); print(r.netloc, r.port, u.parse_qs(r.query), r.fragment)
print(u.urlencode({"a": "x y", "b": ["1", "2"]}, doseq=True), u.quote("a/b c"), u.unquote("%C3%A9"), u.urljoin("http://a/b/c", "../d"))
class P(HTMLParser):
    def __init__(self): super().__init__(); self.links = []
    def handle_starttag(self, t, a):
        if t == "a": self.links.append(dict(a).get("href"))
p = P(); p.feed("<p><a href='/x'>1</a><a href=\"/y\">2</a></p>"); print(p.links)
