/** Broken workbooks, documents and pages; archives, entities and trees that grow. */
import type { HostileCase } from "../cases.ts";
import { MUTANTS, named } from "./crafted_files.ts";

/** Defines `bomb(pieces)`: a deflated stream that grows to so many times a MiB of spaces. */
const BOMB = `
import io, zipfile
def bomb(name, mib, head=b"", more=()):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for each, data in more: archive.writestr(each, data)
        with archive.open(name, "w", force_zip64=True) as entry:
            entry.write(head)
            for _ in range(mib): entry.write(b" " * 1048576)
    return file.getvalue()
`;
const LAUGHS = `<!DOCTYPE z [<!ENTITY a0 "ha">${
  Array.from({ length: 12 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join("")
}]><z>&a12;</z>`;

/** For openpyxl. */
export const WORKBOOKS: readonly HostileCase[] = named({
  "a workbook that is no archive": [
    "error",
    `
import io, openpyxl
openpyxl.load_workbook(io.BytesIO(b"PK\\3\\4" + bytes(2000)))`,
  ],
  "a workbook whose sheet grows to 700 MiB": [
    "either",
    `${BOMB}
import openpyxl
good = io.BytesIO()
openpyxl.Workbook().save(good)
with zipfile.ZipFile(io.BytesIO(good.getvalue())) as whole:
    others = [(name, whole.read(name)) for name in whole.namelist() if "sheet1" not in name]
openpyxl.load_workbook(io.BytesIO(bomb("xl/worksheets/sheet1.xml", 700, b"<worksheet><sheetData>", others)))`,
  ],
  "a workbook whose sheet says that it has 17 billion cells": [
    "either",
    `
import io, openpyxl
book = openpyxl.Workbook()
book.active["XFD1048576"] = 1
data = io.BytesIO()
book.save(data)
sum(1 for row in openpyxl.load_workbook(data).active.iter_rows() for cell in row)`,
  ],
  "a workbook with entities that grow": [
    "either",
    `
import io, zipfile, openpyxl
good = io.BytesIO()
openpyxl.Workbook().save(good)
data = io.BytesIO()
with zipfile.ZipFile(good) as whole, zipfile.ZipFile(data, "w") as broken:
    for name in whole.namelist():
        broken.writestr(name, ${JSON.stringify(LAUGHS)} if "sheet1" in name else whole.read(name))
openpyxl.load_workbook(data).active.max_row
raise ValueError("read as an empty sheet")`,
  ],
  "200 broken workbooks": [
    "value",
    `${MUTANTS}
import openpyxl
book = openpyxl.Workbook()
book.active.append([1, "a", 2.5])
data = io.BytesIO()
book.save(data)
for each in mutants(data.getvalue(), 200):
    try: openpyxl.load_workbook(io.BytesIO(each))
    except Exception: pass
True`,
  ],
});

/** For lxml. */
export const TREES: readonly HostileCase[] = named({
  "a tree of 200,000 levels": [
    "error",
    `
from lxml import etree
etree.fromstring("<a>" * 200_000 + "</a>" * 200_000)`,
  ],
  "a tree of 200,000 levels where that is allowed": [
    "any",
    `
from lxml import etree
root = etree.fromstring("<a>" * 200_000 + "</a>" * 200_000, etree.XMLParser(huge_tree=True))
len(etree.tostring(root)), len(list(root.iter()))`,
  ],
  "entities that grow": [
    "error",
    `
from lxml import etree
etree.fromstring(${JSON.stringify(LAUGHS)})`,
  ],
  "entities that grow where that is allowed": [
    "either",
    `
from lxml import etree
root = etree.fromstring(${
      JSON.stringify(LAUGHS)
    }, etree.XMLParser(huge_tree=True, resolve_entities=True))
raise ValueError(len(root.text or ""))`,
  ],
  "a path that visits everything, for everything": [
    "limit",
    `
from lxml import etree
root = etree.fromstring("<r>" + "<a><b/></a>" * 3000 + "</r>")
root.xpath("count(//*[count(//*[count(//*) > count(//b)]) > count(//a)])")`,
  ],
  "a stylesheet that calls itself": [
    "either",
    `
from lxml import etree
style = etree.XSLT(etree.fromstring('<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/" name="a"><xsl:call-template name="a"/></xsl:template></xsl:stylesheet>'))
style(etree.fromstring("<a/>"))`,
  ],
  "a document with a file of the host": [
    "value",
    `
from lxml import etree
parser = etree.XMLParser(resolve_entities=True, no_network=False, load_dtd=True)
try:
    text = etree.fromstring('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', parser).text or ""
except etree.XMLSyntaxError: text = ""
"root:" not in text`,
  ],
  "300 broken documents": [
    "value",
    `${MUTANTS}
from lxml import etree, html
data = b"<?xml version='1.0' encoding='utf-8'?><!DOCTYPE r [<!ENTITY e 'x'>]><r a='1'><b>&e;&amp;</b><!-- c --><![CDATA[d]]></r>" * 1
for each in mutants(data, 300):
    for read in (etree.fromstring, html.fromstring):
        try: etree.tostring(read(each))
        except Exception: pass
True`,
  ],
});

/** For Beautiful Soup. */
export const MARKUP: readonly HostileCase[] = named({
  "a page of 60,000 levels": [
    "any",
    `
from bs4 import BeautifulSoup
len(str(BeautifulSoup("<div>" * 60_000, "html.parser")))`,
  ],
  "a page of attributes without end": [
    "any",
    `
from bs4 import BeautifulSoup
len(BeautifulSoup("<a " + "b=c " * 200_000, "html.parser").attrs)`,
  ],
});
