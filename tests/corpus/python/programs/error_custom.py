class ConfigError(Exception):
    pass
def validate(d):
    if "name" not in d:
        raise ConfigError("missing name")
validate({})
