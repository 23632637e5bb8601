process.on("unhandledRejection", (reason, promise) => {
  console.log("unhandled:", reason, promise instanceof Promise);
});
Promise.reject("just a string");
Promise.reject(new Error("an error").message);
(async () => { throw 404; })();
const late = Promise.reject("handled in time");
late.catch((r) => console.log("late:", r));
setTimeout(() => console.log("still running"), 5);
