function notAsync() {
  const value = await Promise.resolve(1);
  return value;
}
notAsync();
