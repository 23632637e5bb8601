const users = [{ name: "Ann", address: { city: "Oslo" } }, { name: "Bob" }];
for (const user of users) {
  console.log(user.name, user.address.city.toUpperCase());
}
