console.log(typeof process.pid, process.platform.length > 0, process.version.startsWith("v"), process.versions.node === process.version.slice(1));
console.log(process.env.GREETING, process.env.MISSING, "GREETING" in process.env);
process.env.NEW_VAR = 42; console.log(process.env.NEW_VAR, typeof process.env.NEW_VAR); delete process.env.NEW_VAR; console.log(process.env.NEW_VAR);
console.log(process.argv.length, process.argv[1].endsWith("main.js"), process.argv0.length > 0, Array.isArray(process.execArgv));
console.log(typeof process.uptime(), typeof process.hrtime.bigint(), process.hrtime().length, typeof process.memoryUsage().heapUsed, Object.keys(process.memoryUsage()).sort());
const t0 = process.hrtime(); const diff = process.hrtime(t0); console.log(diff.every(Number.isInteger), diff[0] >= 0);
console.log(process.cwd() === __dirname, require("path").basename(__filename), process.title.length > 0, process.arch.length > 0);
console.log(typeof process.nextTick, typeof process.on, process.exitCode, process.release.name, typeof process.umask());
const level = Number(process.env.DEBUG_LEVEL ?? 0); if (level > 2) console.log("debug level", level);
const { GREETING = "none", OTHER = "default" } = process.env; console.log(GREETING, OTHER, Number.parseInt(process.env.NOPE) || 3000);
process.stdout.write("no newline"); process.stdout.write("\n"); process.stderr.write("to stderr\n"); console.log(process.stdout.write("") === true, process.stdout.isTTY, process.stdin.isTTY);
console.log(process.stdout.columns, typeof process.stdout.on, process.stdout.fd, process.stderr.fd);
process.emitWarning("careful now"); process.emitWarning("old thing", "DeprecationWarning", "DEP0999");
try { process.chdir("/nonexistent"); } catch (e) { console.log(e.code, e.syscall, e.message.split(",")[0]); }
console.log(typeof process.getuid, process.config !== undefined, process.features !== undefined, typeof process.cpuUsage().user, process.emit("custom", 1), String(process));
console.log(typeof process.kill, typeof process.abort, process.connected);
