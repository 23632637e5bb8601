const inner = () => {
  return this;
};
const answer = (function () {
  return 42;
})();
console.log(answer, inner() === exports);
if (answer === 42) {
  console.log("early");
  return
}
console.log("never");
