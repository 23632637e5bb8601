//! `bc`: a calculator with numbers of any size, as GNU's.

use async_trait::async_trait;
use bashkit::{Builtin, BuiltinContext, ExecResult, Result};

use crate::bc_machine::Machine;

pub struct Bc;

#[async_trait]
impl Builtin for Bc {
    async fn execute(&self, context: BuiltinContext<'_>) -> Result<ExecResult> {
        let (mut math, mut files) = (false, Vec::new());
        for argument in context.args {
            match argument.as_str() {
                "--mathlib" => math = true,
                long if long.starts_with("--") => {}
                short if short.len() > 1 && short.starts_with('-') => math |= short.contains('l'),
                name => files.push(name),
            }
        }
        let mut machine = Machine::new(math);
        let mut going_on = true;
        for name in files {
            let Ok(bytes) = context.fs.read_file(&crate::paths::absolute(context.cwd, name)).await else {
                return Ok(ExecResult::err(format!("File {name} is unavailable.\n"), 1));
            };
            going_on = going_on && machine.run(name, &String::from_utf8_lossy(&bytes));
        }
        if going_on && let Some(input) = context.stdin {
            machine.run("(standard_in)", &String::from_utf8_lossy(input.as_bytes()));
        }
        let mut result = ExecResult::ok(machine.output.text);
        result.stderr = machine.errors.into();
        Ok(result)
    }
}
