//! A shell in a sealed WebAssembly instance: the crate `bashkit` on the files that the host serves
//! by WASI.
//!
//! The host calls `shell_boot` once. For each run it puts the program, standard input and the
//! environment into memory of `shell_alloc` and calls `shell_run`, which returns the exit code.
//! Output goes to the descriptors 1 and 2. Variables, functions and the working directory stay in
//! memory from run to run.

mod bc;
mod bc_machine;
mod bc_math;
mod bc_number;
mod bc_operators;
mod bc_output;
mod bc_parser;
mod bc_program;
mod bc_words;
mod dates;
mod elsewhere;
mod files;
mod languages;
mod ls;
mod paths;
mod sizes;
mod zcat;

use std::cell::RefCell;
use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use bashkit::{Bash, ExecOptions, ExecutionLimits, MemoryLimits, PosixFs, SessionLimits};

const HOME: &str = "/workspace";
/// Bytes of values that are alive at one time; the memory of the instance is the limit.
const ALL_BYTES: usize = 1 << 30;
const LIVE_BYTES: u64 = 1 << 30;
/// Longer than any run: the host ends runs.
const FOREVER: Duration = Duration::from_secs(1 << 40);

struct Shell {
    runtime: tokio::runtime::Runtime,
    bash: Bash,
    /// Names of variables that the host set for the run before.
    named: Vec<String>,
    /// The working directory as the host knows it.
    directory: String,
}

thread_local! {
    static SHELL: RefCell<Option<Shell>> = const { RefCell::new(None) };
}

/// Fuel, memory, output and time are the host's limits, so that the crate's are lifted.
fn limits() -> ExecutionLimits {
    ExecutionLimits::new()
        .max_work_units(u64::MAX)
        .max_aggregate_input_bytes(u64::MAX)
        .max_live_intermediate_bytes(LIVE_BYTES)
        .max_commands(usize::MAX)
        .max_loop_iterations(usize::MAX)
        .max_total_loop_iterations(usize::MAX)
        .max_function_depth(usize::MAX)
        .timeout(FOREVER)
        .parser_timeout(FOREVER)
        .max_input_bytes(ALL_BYTES)
        .max_parser_operations(usize::MAX)
        .max_stdout_bytes(ALL_BYTES)
        .max_stderr_bytes(ALL_BYTES)
        .max_word_split_fields(usize::MAX)
        .max_word_split_bytes(usize::MAX)
}

fn new_bash() -> Bash {
    let mut builder = Bash::builder()
        .fs(Arc::new(PosixFs::new(files::HostFiles)))
        .limits(limits())
        .session_limits(SessionLimits::unlimited())
        .memory_limits(MemoryLimits::unlimited())
        .username("user")
        .hostname("belljar")
        .env("HOME", HOME)
        .env("PATH", "/usr/local/bin:/usr/bin:/bin")
        .env("LANG", "C.UTF-8")
        .env("TMPDIR", "/tmp")
        .cwd(HOME);
    for (name, command) in elsewhere::absent_commands().chain(languages::language_commands()) {
        builder = builder.builtin(name, command);
    }
    builder
        .builtin("bc", Box::new(bc::Bc))
        .builtin("ls", Box::new(ls::Ls))
        .builtin("zcat", Box::new(zcat::Zcat))
        .build()
}

fn with_shell<T>(work: impl FnOnce(&mut Shell) -> T) -> T {
    SHELL.with(|shell| work(shell.borrow_mut().as_mut().expect("shell_boot is called first")))
}

#[unsafe(no_mangle)]
pub extern "C" fn shell_alloc(length: usize) -> *mut u8 {
    let mut bytes = Vec::<u8>::with_capacity(length.max(1));
    let pointer = bytes.as_mut_ptr();
    std::mem::forget(bytes);
    pointer
}

/// Takes memory of `shell_alloc` back, with the bytes that the host put there.
fn take(pointer: *mut u8, length: usize) -> Vec<u8> {
    unsafe { Vec::from_raw_parts(pointer, length, length.max(1)) }
}

/// Frees memory of `shell_alloc`.
#[unsafe(no_mangle)]
pub extern "C" fn shell_release(pointer: *mut u8, length: usize) {
    drop(take(pointer, length));
}

fn take_text(pointer: *mut u8, length: usize) -> String {
    String::from_utf8_lossy(&take(pointer, length)).into_owned()
}

#[unsafe(no_mangle)]
pub extern "C" fn shell_boot() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .expect("a runtime of one thread");
    let directory = HOME.to_owned();
    let mut bash = new_bash();
    // A program saves `$IFS` and restores it. The crate begins without it.
    let prelude = bash.exec("IFS=$' \\t\\n'");
    runtime.block_on(prelude).expect("an assignment");
    let shell = Shell { runtime, bash, named: Vec::new(), directory };
    SHELL.with(|place| *place.borrow_mut() = Some(shell));
}

fn write_to(stream: &mut dyn Write, bytes: &[u8]) {
    if !bytes.is_empty() {
        // The host ends a run whose output it does not take.
        let _ = stream.write_all(bytes);
        let _ = stream.flush();
    }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Exports the variables of a run. Those of the run before that are not named again are removed.
fn set_environment(shell: &mut Shell, pairs: &str) -> String {
    let mut names = Vec::new();
    for pair in pairs.split_terminator('\0') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        shell.bash.set_env(name, value);
        names.push(name.to_owned());
    }
    let gone = shell.named.iter().filter(|name| !names.contains(name));
    let removal: Vec<&str> = gone.map(String::as_str).collect();
    let prelude =
        if removal.is_empty() { String::new() } else { format!("unset {}; ", removal.join(" ")) };
    shell.named = names;
    prelude
}

fn options(stdin: Vec<u8>) -> ExecOptions {
    ExecOptions::new().stdin(stdin).streaming(Box::new(|out, err| {
        write_to(&mut std::io::stdout(), out.as_bytes());
        write_to(&mut std::io::stderr(), err.as_bytes());
    }))
}

/// Runs a program. `directory` is where it begins; empty: where the run before ended. `pairs` are
/// `NAME=value`, each followed by NUL. Returns the exit code.
#[unsafe(no_mangle)]
pub extern "C" fn shell_run(
    code: *mut u8,
    code_length: usize,
    stdin: *mut u8,
    stdin_length: usize,
    pairs: *mut u8,
    pairs_length: usize,
    directory: *mut u8,
    directory_length: usize,
) -> i32 {
    let code = take_text(code, code_length);
    let stdin = take(stdin, stdin_length);
    let pairs = take_text(pairs, pairs_length);
    let directory = take_text(directory, directory_length);
    with_shell(|shell| {
        let mut program = set_environment(shell, &pairs);
        if !directory.is_empty() && directory != shell.directory {
            program += &format!("cd {}; ", quoted(&directory));
        }
        program += &code;
        let execution = shell.bash.exec_with_options(&program, options(stdin));
        match shell.runtime.block_on(execution) {
            Ok(result) => result.exit_code & 0xff,
            Err(error) => {
                write_to(&mut std::io::stderr(), format!("bash: {error}\n").as_bytes());
                2
            }
        }
    })
}

/// The address of the working directory. The next run begins there.
#[unsafe(no_mangle)]
pub extern "C" fn shell_directory() -> *const u8 {
    with_shell(|shell| {
        shell.directory = shell.bash.shell_state_view().cwd.to_string_lossy().into_owned();
        shell.directory.as_ptr()
    })
}

/// Bytes of the working directory that `shell_directory` found.
#[unsafe(no_mangle)]
pub extern "C" fn shell_directory_length() -> usize {
    with_shell(|shell| shell.directory.len())
}
