function broken() {
  const items = [1, 2, 3;
  return items;
}
console.log(broken());
