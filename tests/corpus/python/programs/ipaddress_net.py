import ipaddress as ip
n = ip.ip_network("192.168.0.0/29"); print(n.num_addresses, [str(h) for h in n.hosts()][:3], ip.ip_address("10.0.0.1").is_private, ip.ip_address("192.168.0.5") in n, ip.ip_address("::1").exploded)
try: ip.ip_address("300.1.1.1")
except ValueError as e: print(e)
