import xml.etree.ElementTree as ET
x = "<catalog><book id='1'><title>A</title><price>10.5</price></book><book id='2'><title>B &amp; C</title><price>7</price></book></catalog>"
r = ET.fromstring(x)
for b in r.findall("book"): print(b.get("id"), b.find("title").text, float(b.findtext("price")))
print(sum(float(p.text) for p in r.iter("price")), r.find("book[@id='2']/title").text)
n = ET.SubElement(r, "book", id="3"); n.text = "<&>"; ET.indent(r); print(ET.tostring(r, encoding="unicode").splitlines()[-2:])
try: ET.fromstring("<a><b></a>")
except ET.ParseError as e: print(e)
from xml.dom import minidom
print(minidom.parseString("<a><b x='1'/></a>").toprettyxml(indent=" ").splitlines()[1:])
