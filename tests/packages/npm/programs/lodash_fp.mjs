import fp from "lodash/fp.js";
console.log(fp.flow(fp.map(x=>x*2), fp.filter(x=>x>2), fp.sum)([1,2,3]), fp.curry((a,b,c)=>a+b+c)(1)(2)(3), fp.set("a.b",5,{a:{b:1,c:2}}));
