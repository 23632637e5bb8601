//! Commands of other languages, such as `python x.py`: the host runs them on the same files, in
//! another instance, while this one waits.

use async_trait::async_trait;
use bashkit::{Builtin, BuiltinContext, ExecResult, Result};

const COMMANDS: [&str; 8] =
    ["python", "python3", "node", "nodejs", "ts-node", "tsx", "perl", "ruby"];

#[link(wasm_import_module = "belljar")]
unsafe extern "C" {
    /// Runs a command to its end. Words, and variables as `NAME=value`, are each followed by NUL.
    /// `live` are the streams that the host may deliver itself while the command runs: 1 is
    /// standard output, 2 standard error, 4 says that both go to standard output. Returns the
    /// exit code.
    fn command(
        words: *const u8,
        words_length: usize,
        variables: *const u8,
        variables_length: usize,
        directory: *const u8,
        directory_length: usize,
        input: *const u8,
        input_length: usize,
        live: i32,
    ) -> i32;
    /// Bytes that the last command wrote to a stream: 1 or 2.
    fn written_length(stream: i32) -> usize;
    /// Copies them to an address, and forgets them.
    fn take_written(stream: i32, to: *mut u8);
}

struct LanguageCommand {
    name: &'static str,
}

fn written(stream: i32) -> Vec<u8> {
    unsafe {
        let mut bytes = vec![0; written_length(stream)];
        take_written(stream, bytes.as_mut_ptr());
        bytes
    }
}

fn ended_by_nul<T: AsRef<str>>(texts: impl Iterator<Item = T>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for text in texts {
        bytes.extend_from_slice(text.as_ref().as_bytes());
        bytes.push(0);
    }
    bytes
}

#[async_trait]
impl Builtin for LanguageCommand {
    async fn execute(&self, context: BuiltinContext<'_>) -> Result<ExecResult> {
        let words = std::iter::once(self.name).chain(context.args.iter().map(String::as_str));
        let words = ended_by_nul(words);
        let mut pairs: Vec<String> =
            context.env.iter().map(|(name, value)| format!("{name}={value}")).collect();
        pairs.sort_unstable();
        let variables = ended_by_nul(pairs.iter());
        let directory = context.cwd.to_string_lossy().into_owned();
        let input = context.stdin.map_or(&[][..], |data| data.as_bytes());
        let exit_code = unsafe {
            command(
                words.as_ptr(),
                words.len(),
                variables.as_ptr(),
                variables.len(),
                directory.as_ptr(),
                directory.len(),
                input.as_ptr(),
                input.len(),
                context.live_output(),
            )
        };
        let mut result = ExecResult::ok_bytes(written(1));
        result.stderr = written(2).into();
        result.exit_code = exit_code & 0xff;
        Ok(result)
    }
}

/// All of them, by name.
pub fn language_commands() -> impl Iterator<Item = (&'static str, Box<dyn Builtin>)> {
    COMMANDS.into_iter().map(|name| {
        let builtin: Box<dyn Builtin> = Box::new(LanguageCommand { name });
        (name, builtin)
    })
}
