const api = { get: (id) => ({ id }) };
console.log(api.get(1));
console.log(api.fetchAll(1));
