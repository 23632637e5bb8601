const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
async function work(id) {
  await sleep(id * 10);
  if (id === 2) throw new RangeError(`worker ${id} failed`);
  console.log("worker", id, "done");
}
work(1);
work(2);
work(3).then(() => console.log("not printed: the process ended"));
