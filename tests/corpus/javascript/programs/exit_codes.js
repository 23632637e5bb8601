process.on("exit", (code) => console.log("exit handler sees", code, process.exitCode));
console.log("working");
setTimeout(() => console.log("never"), 1000);
setTimeout(() => {
  console.error("fatal: bad input");
  process.exit(3);
}, 10);
