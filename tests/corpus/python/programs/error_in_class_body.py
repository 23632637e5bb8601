class Broken:
    value = undefined_name
