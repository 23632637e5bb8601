/**
 * Hostile programs of the shell, and how each may end: by limits, or by an error of the shell's own.
 *
 * @module
 */
import type { LimitName } from "../../runtimes/engine/engine.ts";

/** A program, and the endings that are right. */
export interface ShellCase {
  readonly code: string;
  /** Limits that may end it; none: it ends by itself. */
  readonly limits: readonly LimitName[];
}

const PROGRAMS: readonly string[] = [
  "while :; do :; done",
  "until false; do :; done",
  "for ((;;)); do :; done",
  ":(){ :|:& };:",
  "f() { f; }; f",
  "f() { f | f; }; f",
  "f() { $(f); }; f",
  "f() { (f); }; f",
  "f() { eval f; }; f",
  "while :; do (:) & done",
  "while :; do echo x; done > /dev/null",
  "while :; do echo x >> grows; done",
  "yes > /dev/null",
  "yes | cat > /dev/null",
  "yes | while read x; do :; done",
  "yes | sort",
  "yes | tee a b c > /dev/null",
  "yes | xargs echo > /dev/null",
  "yes | awk '{ a[NR] = $0 }'",
  "awk 'BEGIN { while (1) x++ }'",
  "awk 'function f() { f() } BEGIN { f() }'",
  "awk 'BEGIN { x = \"x\"; while (1) x = x x }'",
  "awk 'BEGIN { while (1) a[n++] = n }'",
  'awk \'BEGIN { while (1) printf "%1000s", "" > "/dev/null" }\'',
  "echo | sed ':a;ba'",
  "echo x | sed ':a;s/x/xx/;ta'",
  "jq -n '[range(1e12)] | length'",
  "jq -n 'def f: f; f'",
  "jq -n '[limit(1e12; repeat(1))] | length'",
  "seq 1 1000000000000 > /dev/null",
  "seq 1 1000000000 | sort -rn | head -1",
  "echo {1..1000000000}",
  "echo {1..100}{1..100}{1..100}{1..100}",
  "a=(); while :; do a+=(x x x x x x x x); done",
  "declare -A m; i=0; while :; do m[$((i++))]=x; done",
  "x=x; while :; do x=$x$x; done",
  "printf '%1000000000s' x",
  "printf '%s' {1..10000000}",
  "head -c 1000000000000 /dev/zero | wc -c",
  "cat /dev/zero > /dev/null",
  "cat /dev/urandom | sort",
  "dd if=/dev/zero of=big bs=1M count=100000",
  "truncate -s 1T big",
  "base64 /dev/zero",
  "bc <<< '9^9^9^9'",
  "echo $((9**9**9))",
  "factor 170141183460469231731687303715884105727",
  "[[ $(printf 'a%.0s' {1..5000}) =~ ^(a+)+b$ ]]",
  "case $(printf 'a%.0s' {1..3000}) in *a*a*a*a*a*a*b) ;; esac",
  "grep -E '(a*)*b' <<< $(printf 'a%.0s' {1..5000})",
  "grep -P '(a+)+$' <<< $(printf 'a%.0s' {1..3000})b",
  "sed -E 's/(a*)*b/x/' <<< $(printf 'a%.0s' {1..5000})",
  "x=$(printf 'a%.0s' {1..100000}); while :; do y=${x//a/b}; done",
  "sleep 1000000",
  "sleep infinity",
  "timeout 1000000 sleep 1000000",
  "wait; read x < /dev/zero",
  "trap 'kill -USR1 $$' USR1; kill -USR1 $$",
  "mkdir -p $(printf 'a/%.0s' {1..100000})",
  "i=0; while :; do : > f$((i++)); done",
  "i=0; while :; do mkdir d$i; cd d$i; i=$((i+1)); done",
  "eval \"$(printf '(%.0s' {1..5000})\"",
  "eval \"echo $(printf '$(%.0s' {1..5000})\"",
  "eval \"echo $(printf '{a,b}%.0s' {1..1000})\"",
  "eval \"$(printf 'if :; then %.0s' {1..3000})\"",
  "echo $(printf '((%.0s' {1..3000})",
  "source /dev/stdin <<< 'source /dev/stdin'; bash -c 'bash -c \"$0\" $0'",
  "find / -name '*' -exec find / {} \\;",
  "tar cf - / | gzip | base64 > a",
  "xargs -I{} sh -c 'echo {}; yes | head -100000' < <(seq 1 100000)",
  "cat <<E | sort | uniq -c\n$(yes | head -1000000)\nE",
  "diff <(seq 1 200000) <(seq 200000 -1 1)",
  "exec 3<>a; while :; do echo x >&3; done",
  "sort --parallel=1000 -S 1T <(yes)",
  "split -b 1 <(yes)",
];

/** How a hostile program may be ended. */
const ANY: readonly LimitName[] = ["fuel", "memory", "output", "wall clock"];

/** The programs. Each ends: by a limit, or by an error of a command. */
export const SHELL_CASES: readonly ShellCase[] = PROGRAMS.map((code) => ({ code, limits: ANY }));
