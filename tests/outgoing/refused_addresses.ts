/**
 * Addresses and hosts that no request may reach.
 *
 * @module
 */

function words(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The first and last addresses of ranges that are not public, in all spellings. */
export const NOT_PUBLIC_ADDRESSES = words(`
  0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1
  127.255.255.255 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0
  172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.0.0 192.168.255.255
  198.18.0.0 198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255
  240.0.0.1 255.255.255.254 255.255.255.255
  :: ::1 ::7f00:1 ::808:808 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:10.0.0.1
  ::FFFF:169.254.169.254 0:0:0:0:0:ffff:c0a8:1 ::ffff:0:7f00:1 ::ffff:0:808:808
  64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 100::1 2001::1 2001:0:808:808::
  2001:2::1 2001:10::1 2001:20::1 2001:1ff:ffff::1 2001:db8::1 2002:7f00:1::
  2002:808:808::1 2002:a00:1::1 3fff::1 3fff:fff:ffff::1 4000::1 5f00::1
  fc00::1 fd00::7 fdff:ffff::1 fe80::1 febf::1 fec0::1 feff::1 ff02::1 ff0e::1
  ::8.8.8.8 ::127.0.0.1 64:ff9b::8.8.8.8 64:ff9b::127.0.0.1
`);

/** Texts that are no address, or another one to another reader. */
export const DAMAGED_ADDRESSES: readonly string[] = [
  ...words(`
    ::ffff:010.8.8.8 ::ffff:0x8.8.8.8 2606:4700::8.8.8.8 fe80::1%eth0 2606:4700::1%1
    8.8.8 134744072 0x08.8.8.8 010.8.8.8 8.8.8.8. 8.8.8.8/32 [2606:4700::1]
    2606:4700::1::1 localhost 1.2.3.256 1.2.3.4:443
  `),
  " 8.8.8.8",
  "",
];

/** Hosts of URLs that are addresses which are not public, in spellings that a URL may have. */
export const NOT_PUBLIC_HOSTS: readonly string[] = [
  ...NOT_PUBLIC_ADDRESSES.map((address) => address.includes(":") ? `[${address}]` : address),
  ...words(`
    127.1 127.0.1 0x7f.1 0x7f000001 2130706433 017700000001 0177.0.0.1 127.0.0.1. 0
    127.127.127.127 １２７.0.0.1 127。0。0。1 ①②⑦.0.0.1 0xa9fea9fe 2852039166
    0251.0376.0251.0376 [0:0:0:0:0:ffff:127.0.0.1] [2002:7f00:1::] [2001:0:7f00:1::]
  `),
];
