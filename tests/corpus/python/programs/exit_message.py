import sys

print("checking")
try:
    sys.exit("the configuration is missing")
finally:
    print("leaving")
