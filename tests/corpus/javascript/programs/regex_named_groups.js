const log = `
2024-03-01T12:00:01Z INFO  [auth] user=alice action=login ip=10.0.0.1
2024-03-01T12:00:07Z WARN  [db] slow query took=1532ms
2024-03-01T12:01:00Z ERROR [auth] user=bob action=login failed reason="bad password"
`;
const line = /^(?<time>\S+) (?<level>[A-Z]+)\s+\[(?<module>\w+)\] (?<rest>.*)$/gm;
for (const match of log.matchAll(line)) {
  const { time, level, module, rest } = match.groups;
  const pairs = Object.fromEntries([...rest.matchAll(/(\w+)=("[^"]*"|\S+)/g)].map(([, k, v]) => [k, v.replace(/"/g, "")]));
  console.log(level, module, new Date(time).getUTCSeconds(), pairs);
}
const m = "2024-03-01".match(/(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)/);
console.log(m);
console.log(m.groups.y, m.index, m.length);
console.log("2024-03-01".replace(/(?<y>\d{4})-(?<m>\d\d)-(?<d>\d\d)/, "$<d>/$<m>/$<y>"));
console.log("John Smith".replace(/(\w+)\s(\w+)/, "$2, $1 [$&] $$"));
console.log("price: $42 and €17".match(/(?<=\$)\d+/)[0], "price: $42 and €17".match(/(?<!\$)\b\d+/)[0]);
console.log("a1b22c333".split(/(\d+)/), "a1b22c333".match(/\d+/g), "abc".match(/\d/g));
console.log("x".match(/(y)?x/));
console.log([..."aXbXc".matchAll(/X/g)].map((r) => r.index));
