//! Commands that the shell does not have, and the words that say what is possible instead.

use async_trait::async_trait;
use bashkit::{Builtin, BuiltinContext, ExecResult, Result};

/// Names, the exit code, and the message.
const ABSENT: [(&[&str], i32, &str); 5] = [
    (&["deno", "bun"], 127, "is not here; node runs JavaScript and TypeScript"),
    (&["R", "Rscript", "java", "javac", "go", "gcc", "g++", "cc", "rustc", "cargo", "php", "lua"], 127,
        "is not here; python, node, perl and ruby are, where the service has them"),
    (&["pip", "pip3", "npm", "npx", "yarn", "pnpm", "gem", "cpan", "apt", "apt-get"], 1,
        "packages are installed by the operator of the service; GET /languages lists them"),
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
