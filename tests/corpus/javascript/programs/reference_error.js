const total = [1, 2, 3].reduce((a, b) => a + b);
console.log("total", total);
console.log(undefinedTotal / total);
