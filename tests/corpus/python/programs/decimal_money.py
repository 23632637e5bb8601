from decimal import Decimal, ROUND_HALF_UP, getcontext, localcontext, InvalidOperation
print(Decimal("0.1") + Decimal("0.2"), 0.1 + 0.2)
print(Decimal("2.675").quantize(Decimal("0.01"), ROUND_HALF_UP), Decimal(1) / Decimal(7))
with localcontext() as c:
    c.prec = 50; print(Decimal(2).sqrt())
print(Decimal("1E+3").normalize(), Decimal("-0.0"), Decimal("NaN").is_nan(), f"{Decimal('1234567.5'):,.2f}")
try: Decimal("abc")
except InvalidOperation as e: print(type(e).__name__)
