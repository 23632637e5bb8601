import statistics as st
d = [2.5, 3.25, 5.5, 11.25, 11.75, 3.25]
print(st.mean(d), st.median(d), st.mode(d), round(st.stdev(d), 6), round(st.pvariance(d), 6))
print(st.quantiles(d, n=4), st.multimode("aabbc"), round(st.correlation([1, 2, 3], [2, 4, 7]), 6), st.linear_regression([1, 2, 3], [2, 4, 6]))
try: st.mean([])
except st.StatisticsError as e: print(e)
