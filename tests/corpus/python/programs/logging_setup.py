import logging, sys
logging.basicConfig(stream=sys.stdout, level=logging.DEBUG, format="%(levelname)s:%(name)s:%(message)s", force=True)
log = logging.getLogger("app.db"); log.debug("d %s", 1); log.warning("w"); logging.error("root")
try: 1 / 0
except ZeroDivisionError: log.error("failed: %s", "division")
h = logging.StreamHandler(sys.stdout); h.setFormatter(logging.Formatter("{message} [{levelname}]", style="{")); l2 = logging.getLogger("x"); l2.addHandler(h); l2.propagate = False; l2.setLevel("INFO"); l2.info("styled"); l2.debug("hidden")
