//! Paths of operands.

use std::path::{Component, Path, PathBuf};

/// The absolute path of an operand, without `.` and `..`.
pub fn absolute(directory: &Path, operand: &str) -> PathBuf {
    let mut path = PathBuf::from("/");
    for part in directory.join(operand).components() {
        match part {
            Component::ParentDir => {
                path.pop();
            }
            Component::Normal(name) => path.push(name),
            _ => {}
        }
    }
    path
}
