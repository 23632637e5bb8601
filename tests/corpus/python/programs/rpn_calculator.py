import operator
def rpn(s):
    ops = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": pow}
    st = []
    for t in s.split():
        if t in ops: b, a = st.pop(), st.pop(); st.append(ops[t](a, b))
        else: st.append(float(t))
    return st[0]
print(rpn("3 4 + 2 *"), rpn("5 1 2 + 4 * + 3 -"), rpn("2 3 ^"))
