setTimeout(() => console.log("not printed"), 20);
console.error("about to throw");
throw { code: 42, why: "not an error object" };
