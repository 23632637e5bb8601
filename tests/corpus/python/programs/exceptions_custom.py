class AppError(Exception):
    code = 1
    def __str__(self): return f"[{self.code}] {self.args[0]}"
class NotFound(AppError): code = 404
try: raise NotFound("page")
except AppError as e:
    e.add_note("while testing"); print(e, e.__notes__, isinstance(e, NotFound), e.args)
import traceback
try:
    raise NotFound("again")
except NotFound: print(traceback.format_exc().splitlines()[-1])
