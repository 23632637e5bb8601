/**
 * Changes to the source of the crate `bashkit` before it is compiled: its bounds of work, which fuel
 * and memory make needless here, and differences from bash that its interfaces cannot mend.
 *
 * @module
 */

/** A text in a file of the crate, and the text in its place. The text occurs once. */
export interface CrateChange {
  /** Relative to the folder of the crate. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const LIMITS = "src/builtins/limits.rs";
const GLOBS = "src/interpreter/mod.rs";

/** A constant of a file with another value. */
function constant(file: string, declaration: string, from: string, to: string): CrateChange {
  return { file, from: `${declaration} = ${from};`, to: `${declaration} = ${to};` };
}

/** The value of a constant of {@link LIMITS}. */
function limit(name: string, type: string, from: string, to: string): CrateChange {
  return constant(LIMITS, `pub(crate) const ${name}: ${type}`, from, to);
}

const BOUNDS: readonly CrateChange[] = [
  constant("src/limits.rs", "const HARD_MAX_FUNCTION_DEPTH: usize", "16", "200"),
  limit("AWK_MAX_CALL_DEPTH", "usize", "64", "500"),
  limit("AWK_MAX_OUTPUT_BYTES", "usize", "10_000_000", "1 << 30"),
  limit("AWK_MAX_OUTPUT_TARGETS", "usize", "1_024", "1 << 20"),
  limit("AWK_MAX_GETLINE_CACHED_FILES", "usize", "100", "1 << 20"),
  limit("AWK_MAX_GETLINE_FILE_BYTES", "usize", "10_000_000", "1 << 30"),
  limit("AWK_MAX_GETLINE_CACHE_BYTES", "usize", "10_000_000", "1 << 30"),
  limit("AWK_MAX_STRING_BYTES", "usize", "16 * 1024 * 1024", "1 << 30"),
  limit("EXPAND_MAX_OUTPUT_BYTES", "usize", "1_048_576", "1 << 30"),
  limit("FIND_MAX_OUTPUT_BYTES", "usize", "1_048_576", "1 << 30"),
  limit("SED_MAX_CYCLE_STEPS", "usize", "1_000", "usize::MAX"),
  limit("SLEEP_MAX_SECONDS", "f64", "60.0", "1e9"),
  limit("TIMEOUT_MAX_SECONDS", "u64", "300", "1 << 30"),
  limit("SEQ_MAX_LINES", "usize", "100_000", "usize::MAX"),
  limit("SEQ_MAX_OUTPUT_BYTES", "usize", "1_048_576", "1 << 30"),
  limit("YES_MAX_LINES", "usize", "10_000", "usize::MAX"),
  limit("YES_MAX_OUTPUT_BYTES", "usize", "1_048_576", "8 << 20"),
  constant("src/parser/budget.rs", "const MAX_LOOP_NESTING: usize", "10", "100"),
  constant("src/parser/budget.rs", "const MAX_STATIC_BRACE_RANGE: u64", "100_000", "u64::MAX"),
  constant("src/parser/budget.rs", "const MAX_AST_COMMANDS: usize", "50_000", "usize::MAX"),
  constant(
    "src/interpreter/brace_expansion.rs",
    "const MAX_BRACE_EXPANSION_TOTAL: usize",
    "100_000",
    "usize::MAX",
  ),
  constant(
    "src/interpreter/brace_expansion.rs",
    "const MAX_BRACE_RANGE: u64",
    "10_000",
    "u64::MAX",
  ),
  constant(GLOBS, "const MAX_GLOB_STEPS: usize", "100_000", "usize::MAX"),
];

/** `yes` into a pipe writes until nobody reads. */
const ENDLESS_YES: CrateChange = {
  file: "src/builtins/yes.rs",
  from: `            let lines = output.lines().count();
            for chunk in output.as_bytes().chunks(STREAM_CHUNK_BYTES) {`,
  to: `            let lines = output.lines().count();
            for chunk in output.as_bytes().chunks(STREAM_CHUNK_BYTES).cycle() {`,
};

/** Permission bits last for one run, so that a script that is executed needs no execute bit. */
const EXECUTABLE: CrateChange = {
  file: "src/interpreter/mod.rs",
  from: `        if meta.mode & 0o111 == 0 {
            return Err(ExecResult::err(
                self.diag(format!("{name}: Permission denied\\n")),
                126,
            ));
        }
        self.fs.read_file(path)`,
  to: `        self.fs.read_file(path)`,
};

/** `${x:?}` and `set -u` end `bash -c` with 127, a script, a subshell and `$(...)` with 1. */
const EXPANSION_ERRORS: CrateChange = {
  file: "src/interpreter/mod.rs",
  from: `        self.last_exit_code = 1;
        ExecResult {
            stderr: err_msg.into(),
            exit_code: 1,
            control_flow: if self.interactive {
                ControlFlow::Abort
            } else {
                ControlFlow::Exit(1)
            },`,
  to: `        let is_script = self
            .bash_source_stack
            .first()
            .is_some_and(|frame| !frame.is_function && frame.funcname == "main");
        let code = if is_script || self.bash_subshell > 0 { 1 } else { 127 };
        self.last_exit_code = code;
        ExecResult {
            stderr: err_msg.into(),
            exit_code: code,
            control_flow: if self.interactive {
                ControlFlow::Abort
            } else {
                ControlFlow::Exit(code)
            },`,
};

/** `date -d` with several items reads them as GNU does. Other forms are read by the crate. */
const DATE_ITEMS: readonly CrateChange[] = [
  {
    file: "src/builtins/date.rs",
    from: `use super::{Builtin, Context, resolve_path};`,
    to: `mod items;

use super::{Builtin, Context, resolve_path};`,
  },
  {
    file: "src/builtins/date.rs",
    from: `    let s = strip_surrounding_quotes(s.trim());

    // Try compound`,
    to: `    let s = strip_surrounding_quotes(s.trim());
    if let Some(time) = items::parse(s, now, timezone) {
        return time;
    }

    // Try compound`,
  },
];

/** Further fields of `stat -c`. */
const STAT_FIELDS: CrateChange = {
  file: "src/builtins/inspect.rs",
  from: `                    '%' => result.push('%'),
                    _ => {
                        result.push('%');
                        result.push(next);`,
  to: `                    'x' | 'y' | 'z' => result.push_str(
                        &crate::time_compat::to_chrono_utc(metadata.modified)
                            .format("%Y-%m-%d %H:%M:%S%.9f +0000")
                            .to_string(),
                    ),
                    'X' | 'Z' => result.push_str(
                        &crate::time_compat::to_chrono_utc(metadata.modified)
                            .timestamp()
                            .to_string(),
                    ),
                    'U' | 'G' => result.push_str("user"),
                    'u' | 'g' => result.push_str("1000"),
                    'h' => result.push('1'),
                    'b' => result.push_str(&(metadata.size.div_ceil(4096) * 8).to_string()),
                    'B' => result.push_str("512"),
                    'o' => result.push_str("4096"),
                    '%' => result.push('%'),
                    _ => {
                        result.push('%');
                        result.push(next);`,
};

/** `zip -q`: nothing is written to the terminal anyway. */
const QUIET_ZIP: CrateChange = {
  file: "src/builtins/zip_cmd.rs",
  from: `            "-r" => recursive = true,`,
  to: `            "-q" => {}
            "-r" | "-qr" | "-rq" => recursive = true,`,
};

/**
 * Tells a command where its output goes. Where that is the output of the run, with nothing before it
 * that is not written yet, the host may deliver it while the command runs.
 */
const LIVE_OUTPUT: readonly CrateChange[] = [
  {
    file: "src/interpreter/mod.rs",
    from: `    pub(crate) stdout_stream: Option<crate::command::CommandOutput>,
`,
    to: `    pub(crate) stdout_stream: Option<crate::command::CommandOutput>,
    pub(crate) live_output: i32,
`,
  },
  {
    file: "src/interpreter/mod.rs",
    from: `                    command_routes: None,
                    stdout_stream: None,
`,
    to: `                    command_routes: None,
                    stdout_stream: None,
                    live_output: 0,
`,
  },
  {
    file: "src/interpreter/mod.rs",
    from: `                command_routes,
                stdout_stream: None,
`,
    to: `                command_routes,
                stdout_stream: None,
                live_output,
`,
  },
  {
    file: "src/interpreter/mod.rs",
    from: `            let stderr_pipe = if routed_output && self.output_callback.is_some() {`,
    to: `            let live_output = self.live_output(redirects);
            let stderr_pipe = if routed_output && self.output_callback.is_some() {`,
  },
  {
    file: "src/interpreter/mod.rs",
    from: `    fn is_streaming_host_command(&self, name: &str) -> bool {`,
    to: `    fn live_output(&self, redirects: &[Redirect]) -> i32 {
        const STDOUT: i32 = 1;
        const STDERR: i32 = 2;
        const JOINED: i32 = 4;
        let is_routed = self.output_callback.is_none()
            || self.pipe_out.is_some()
            || self.merge_stderr
            || self.exec_fd_table.contains_key(&1)
            || self.exec_fd_table.contains_key(&2)
            || !self.subst_stderr.is_empty()
            || self.subst_stderr_held.iter().any(|held| !held.is_empty());
        if is_routed {
            return 0;
        }
        let mut live = STDOUT | STDERR;
        for redirect in redirects {
            let fd = redirect.fd.unwrap_or(1);
            let literal = match redirect.target.parts.as_slice() {
                [WordPart::Literal(text)] => text.as_str(),
                _ => "",
            };
            match redirect.kind {
                RedirectKind::Input
                | RedirectKind::HereDoc
                | RedirectKind::HereDocStrip
                | RedirectKind::HereString => {}
                _ if redirect.fd_var.is_some() => return 0,
                RedirectKind::DupOutput if fd == 2 && literal == "1" && live & STDOUT != 0 => {
                    live |= JOINED;
                }
                RedirectKind::Output | RedirectKind::Append if fd == 1 && live & JOINED == 0 => {
                    live &= !STDOUT;
                }
                RedirectKind::Output | RedirectKind::Append if fd == 2 => {
                    live &= !(STDERR | JOINED);
                }
                _ => return 0,
            }
        }
        live
    }

    fn is_streaming_host_command(&self, name: &str) -> bool {`,
  },
  {
    file: "src/builtins/mod.rs",
    from: `    pub(crate) fn stdout_stream(&self) -> Option<StdoutStream> {`,
    to: `    pub fn live_output(&self) -> i32 {
        self.shell.as_ref().map_or(0, |shell| shell.live_output)
    }

    pub(crate) fn stdout_stream(&self) -> Option<StdoutStream> {`,
  },
];

/** `find -exec` and `find -print` write in their order: the command's output is not lost or early. */
const FIND_OUTPUT: readonly CrateChange[] = [
  {
    file: "src/builtins/find/mod.rs",
    from: `                self.awaiting = Some(Awaiting::Batch);
                return Ok(PlanStep::Run { command, cwd });`,
    to: `                self.awaiting = Some(Awaiting::Batch);
                return Ok(PlanStep::Capture { command, cwd });`,
  },
  {
    file: "src/builtins/find/mod.rs",
    from: `                        self.awaiting = Some(Awaiting::Exec(id));
                        return Ok(PlanStep::Run { command, cwd });`,
    to: `                        self.awaiting = Some(Awaiting::Exec(id));
                        return Ok(PlanStep::Capture { command, cwd });`,
  },
];

/** Reports of `time` have bash's forms. The times of the processor are 0: nothing measures them. */
const TIME_REPORTS: readonly CrateChange[] = [
  {
    file: "src/interpreter/mod.rs",
    from: String.raw`"real {:.2}\nuser unavailable\nsys unavailable\n"`,
    to: String.raw`"real {:.2}\nuser 0.00\nsys 0.00\n"`,
  },
  {
    file: "src/interpreter/mod.rs",
    from: String.raw`"\nreal\t{}m{:.3}s\nuser\tunavailable\nsys\tunavailable\n"`,
    to: String.raw`"\nreal\t{}m{:.3}s\nuser\t0m0.000s\nsys\t0m0.000s\n"`,
  },
  {
    file: "src/interpreter/time_command.rs",
    from: `            Some('R') => {
                let mut secs = elapsed.as_secs();`,
    to: `            Some(time @ ('R' | 'U' | 'S')) => {
                let elapsed = if time == 'R' { elapsed } else { std::time::Duration::ZERO };
                let mut secs = elapsed.as_secs();`,
  },
  {
    file: "src/interpreter/time_command.rs",
    from: `            Some('U' | 'S' | 'P') => out.push_str("unavailable"),`,
    to: `            Some('P') => out.push_str("0.00"),`,
  },
  {
    file: "src/interpreter/time_command.rs",
    from: `            _ => push_time_report(&mut output, "unavailable", max_bytes)?,`,
    to: `            'U' | 'S' => push_time_report(&mut output, "0.00", max_bytes)?,
            _ => push_time_report(&mut output, "0", max_bytes)?,`,
  },
];

/** All changes, in the order in which they are made. */
export const CRATE_CHANGES: readonly CrateChange[] = [
  ...BOUNDS,
  ENDLESS_YES,
  EXECUTABLE,
  EXPANSION_ERRORS,
  ...DATE_ITEMS,
  STAT_FIELDS,
  QUIET_ZIP,
  ...LIVE_OUTPUT,
  ...FIND_OUTPUT,
  ...TIME_REPORTS,
];
