import sys
print("working")
sys.exit(3)
