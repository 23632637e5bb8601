if (process.argv.length < 3) {
  console.error("Usage: main.js <file>");
  process.exitCode = 2;
}
process.on("exit", (code) => console.log("code is", code));
console.log("argv:", process.argv.slice(2), "args given:", process.argv.length - 2);
