age = int("twelve")
