import platform, sys, os
print(isinstance(platform.system(), str), os.linesep == "\n", os.name, sys.maxunicode, sys.getdefaultencoding())
