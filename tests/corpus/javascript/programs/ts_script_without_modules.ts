// No import or export: plain script with types only.
type Grade = "A" | "B" | "C" | "F";
interface Student { name: string; scores: number[] }
const students: Student[] = [
  { name: "Ann", scores: [95, 88, 91] },
  { name: "Bob", scores: [72, 65, 80] },
  { name: "Cy", scores: [40, 55, 38] },
];
const average = (xs: number[]): number => xs.reduce((a: number, b: number) => a + b, 0) / xs.length;
function grade(score: number): Grade {
  if (score >= 90) return "A";
  if (score >= 70) return "B";
  if (score >= 60) return "C";
  return "F";
}
const report: Record<string, { average: string; grade: Grade }> = {};
students.forEach(({ name, scores }: Student): void => {
  const avg: number = average(scores);
  report[name] = { average: avg.toFixed(1), grade: grade(avg) };
});
console.log(report);
console.table(report);
let best = students.reduce((a, b) => (average(a.scores) > average(b.scores) ? a : b));
console.log(`Best: ${best.name} with ${Math.max(...best.scores)}`);
const counts = students.map((s) => report[s.name]!.grade).reduce((acc, g) => ({ ...acc, [g]: (acc[g] ?? 0) + 1 }), {} as Partial<Record<Grade, number>>);
console.log(counts);
const lookup: Map<string, Student> = new Map(students.map((s): [string, Student] => [s.name, s]));
console.log(lookup.get("Bob")?.scores.length ?? 0, lookup.get("Zed")?.scores.length ?? "none");
const sorted = [...students].sort((a, b): number => average(b.scores) - average(a.scores)).map((s) => s.name);
console.log(sorted, students as readonly Student[]);
function format(template: string, ...args: (string | number)[]): string { return template.replace(/\{(\d+)\}/g, (_m: string, i: string) => String(args[Number(i)])); }
console.log(format("{0} has {1} of {1}", "Ann", 3));
