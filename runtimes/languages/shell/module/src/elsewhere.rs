//! Commands that the shell does not have, and the words that say what is possible instead.

use async_trait::async_trait;
use bashkit::{Builtin, BuiltinContext, ExecResult, Result};

/// Names, the exit code, and the message.
const ABSENT: [(&[&str], i32, &str); 7] = [
    (&["python", "python3"], 127, "runs as the language python, on the same files"),
    (&["node", "deno", "ts-node", "tsx", "bun"], 127, "runs as the language javascript, on the same files"),
    (&["perl"], 127, "runs as the language perl, on the same files"),
    (&["ruby"], 127, "runs as the language ruby, on the same files"),
    (&["pip", "pip3", "npm", "npx", "yarn", "pnpm", "gem", "cpan", "apt", "apt-get"], 1,
        "packages are installed by the operator of the service"),
    (&["git"], 1, "there is no version control here; checkpoints of the sandbox keep its files"),
    (&["curl", "wget", "ssh", "scp", "nc", "ping"], 1, "there is no network"),
];

struct Absent {
    name: &'static str,
    exit_code: i32,
    message: &'static str,
}

#[async_trait]
impl Builtin for Absent {
    async fn execute(&self, _context: BuiltinContext<'_>) -> Result<ExecResult> {
        Ok(ExecResult::err(format!("{}: {}\n", self.name, self.message), self.exit_code))
    }
}

/// All of them, by name.
pub fn absent_commands() -> impl Iterator<Item = (&'static str, Box<dyn Builtin>)> {
    ABSENT.into_iter().flat_map(|(names, exit_code, message)| {
        names.iter().map(move |&name| {
            let builtin: Box<dyn Builtin> = Box::new(Absent { name, exit_code, message });
            (name, builtin)
        })
    })
}
