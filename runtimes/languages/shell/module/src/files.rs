//! The files that the host serves, as a back end of the shell.

use std::io::{Error, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use async_trait::async_trait;
use bashkit::{DirEntry, FileType, FsBackend, Metadata, Result};

// Permission bits are not part of WASI: the host has calls of its own for them.
#[link(wasm_import_module = "belljar")]
unsafe extern "C" {
    /// The bits of a path; negative when there is none.
    fn mode(path: *const u8, length: usize) -> i32;
    /// 0 when the bits are set.
    fn set_mode(path: *const u8, length: usize, mode: u32) -> i32;
}

/// Bytes of a directory, as `stat` and `ls -l` show it on Linux.
const DIRECTORY_BYTES: u64 = 4096;

pub struct HostFiles;

fn text_of(path: &Path) -> &[u8] {
    path.as_os_str().as_encoded_bytes()
}

fn metadata_of(path: &Path) -> std::io::Result<Metadata> {
    let found = std::fs::metadata(path)?;
    let directory = found.is_dir();
    let modified = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    let text = text_of(path);
    let bits = unsafe { mode(text.as_ptr(), text.len()) };
    Ok(Metadata {
        file_type: if directory { FileType::Directory } else { FileType::File },
        size: if directory { DIRECTORY_BYTES } else { found.len() },
        mode: u32::try_from(bits).unwrap_or(if directory { 0o755 } else { 0o644 }),
        modified,
        created: modified,
    })
}

fn copy_tree(from: &Path, to: &Path) -> std::io::Result<()> {
    if !std::fs::metadata(from)?.is_dir() {
        let bytes = std::fs::read(from)?;
        return std::fs::write(to, bytes);
    }
    if !to.exists() {
        std::fs::create_dir(to)?;
    }
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        copy_tree(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

#[async_trait]
impl FsBackend for HostFiles {
    async fn read(&self, path: &Path) -> Result<Vec<u8>> {
        Ok(std::fs::read(path)?)
    }

    async fn write(&self, path: &Path, content: &[u8]) -> Result<()> {
        Ok(std::fs::write(path, content)?)
    }

    async fn append(&self, path: &Path, content: &[u8]) -> Result<()> {
        let mut file = std::fs::OpenOptions::new().append(true).create(true).open(path)?;
        Ok(file.write_all(content)?)
    }

    async fn mkdir(&self, path: &Path, recursive: bool) -> Result<()> {
        Ok(if recursive { std::fs::create_dir_all(path)? } else { std::fs::create_dir(path)? })
    }

    async fn remove(&self, path: &Path, recursive: bool) -> Result<()> {
        Ok(match (std::fs::metadata(path)?.is_dir(), recursive) {
            (true, true) => std::fs::remove_dir_all(path)?,
            (true, false) => std::fs::remove_dir(path)?,
            (false, _) => std::fs::remove_file(path)?,
        })
    }

    async fn stat(&self, path: &Path) -> Result<Metadata> {
        Ok(metadata_of(path)?)
    }

    async fn read_dir(&self, path: &Path) -> Result<Vec<DirEntry>> {
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            let Ok(metadata) = metadata_of(&entry.path()) else { continue };
            let name = entry.file_name().to_string_lossy().into_owned();
            entries.push(DirEntry { name, metadata });
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    async fn exists(&self, path: &Path) -> Result<bool> {
        Ok(std::fs::metadata(path).is_ok())
    }

    async fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        let Err(error) = std::fs::rename(from, to) else { return Ok(()) };
        if error.kind() != ErrorKind::CrossesDevices {
            return Err(error.into());
        }
        copy_tree(from, to)?;
        self.remove(from, true).await
    }

    async fn copy(&self, from: &Path, to: &Path) -> Result<()> {
        copy_tree(from, to)?;
        self.chmod(to, metadata_of(from)?.mode).await
    }

    async fn symlink(&self, _target: &Path, _link: &Path) -> Result<()> {
        Err(Error::new(ErrorKind::PermissionDenied, "Operation not permitted").into())
    }

    async fn read_link(&self, path: &Path) -> Result<PathBuf> {
        std::fs::metadata(path)?;
        Err(Error::new(ErrorKind::InvalidInput, "Invalid argument").into())
    }

    async fn chmod(&self, path: &Path, bits: u32) -> Result<()> {
        let text = text_of(path);
        if unsafe { set_mode(text.as_ptr(), text.len(), bits & 0o7777) } == 0 {
            return Ok(());
        }
        std::fs::metadata(path)?;
        Err(Error::new(ErrorKind::PermissionDenied, "Operation not permitted").into())
    }

    async fn set_modified_time(&self, path: &Path, time: SystemTime) -> Result<()> {
        let file = std::fs::OpenOptions::new().read(true).open(path)?;
        Ok(file.set_modified(time)?)
    }
}
