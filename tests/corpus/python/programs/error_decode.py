b"\xff\xfe\xfd".decode("utf-8")
