/**
 * Programs that run once in each process, so that the functions of the module which most programs
 * need are compiled before the first program needs them.
 *
 * @module
 */

/** The programs, to run in order, starting from the baseline. */
export const WARM_UP: readonly string[] = [
  "true",
  "echo hi | grep h | sort | uniq -c; ls -la; cd /tmp && pwd",
  "for i in 1 2; do echo $i; done | awk '{ s += $1 } END { print s }'; x=$((1 + 2)); echo ${x%3}",
  "cat <<< '{\"a\":[1,2]}' | jq .a[0]; printf '%s\\n' a b | sed s/a/b/ | head -1 | wc -l",
  "f() { local a=$1; [ -n \"$a\" ] && echo $a; }; f x; find . -name '*.txt'; echo x > y; cat y",
];
