//! `zcat`: files in the format of gzip, decompressed to standard output.

use std::io::Read;

use async_trait::async_trait;
use bashkit::{Builtin, BuiltinContext, ExecResult, Result};
use flate2::read::MultiGzDecoder;

pub struct Zcat;

fn decompressed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut output = Vec::new();
    MultiGzDecoder::new(bytes).read_to_end(&mut output)?;
    Ok(output)
}

#[async_trait]
impl Builtin for Zcat {
    async fn execute(&self, context: BuiltinContext<'_>) -> Result<ExecResult> {
        let (mut output, mut errors) = (Vec::new(), String::new());
        let names: Vec<&str> = if context.args.is_empty() {
            vec!["-"]
        } else {
            context.args.iter().map(String::as_str).collect()
        };
        for name in names {
            let read = if name == "-" {
                Ok(context.stdin.map(|data| data.as_bytes().to_vec()).unwrap_or_default())
            } else {
                context.fs.read_file(&crate::paths::absolute(context.cwd, name)).await
            };
            match read {
                Err(_) => errors.push_str(&format!("gzip: {name}: No such file or directory\n")),
                Ok(bytes) => match decompressed(&bytes) {
                    Ok(text) => output.extend_from_slice(&text),
                    Err(_) => errors.push_str(&format!("gzip: {name}: not in gzip format\n")),
                },
            }
        }
        let mut result = ExecResult::ok(output);
        result.exit_code = i32::from(!errors.is_empty());
        result.stderr = errors.into();
        Ok(result)
    }
}
