//! `ls` with the options and the long form of GNU's.

use std::cmp::Ordering;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use async_trait::async_trait;
use bashkit::{Builtin, BuiltinContext, ExecResult, FileSystem, Metadata, Result};

use crate::dates::{full_iso, long_iso, recent_or_year};
use crate::sizes::human;

pub struct Ls;

#[derive(Clone, Copy, PartialEq)]
enum Hidden {
    Left,
    Almost,
    All,
}

#[derive(Clone, Copy, PartialEq)]
enum Order {
    Name,
    Time,
    Size,
    Extension,
    None,
}

#[derive(Clone, Copy, PartialEq)]
enum Times {
    Locale,
    LongIso,
    FullIso,
}

struct Options {
    hidden: Hidden,
    order: Order,
    times: Times,
    long: bool,
    owner: bool,
    group: bool,
    numeric: bool,
    human: bool,
    blocks: bool,
    recursive: bool,
    reverse: bool,
    directory: bool,
    directories_first: bool,
    columns: bool,
    commas: bool,
    quoted: bool,
    slash: bool,
    classify: bool,
}

const DEFAULTS: Options = Options {
    hidden: Hidden::Left,
    order: Order::Name,
    times: Times::Locale,
    long: false,
    owner: true,
    group: true,
    numeric: false,
    human: false,
    blocks: false,
    recursive: false,
    reverse: false,
    directory: false,
    directories_first: false,
    columns: false,
    commas: false,
    quoted: false,
    slash: false,
    classify: false,
};

/// Width of lines of `-C`.
const COLUMNS: usize = 80;
/// A file takes whole blocks of 4 KiB; they are counted in KiB.
const BLOCK_BYTES: u64 = 4096;
const BLOCK_KIB: u64 = 4;

struct Entry {
    name: String,
    path: PathBuf,
    metadata: Metadata,
}

fn read_short(options: &mut Options, letters: &str) -> std::result::Result<(), String> {
    for letter in letters.chars() {
        match letter {
            'a' => options.hidden = Hidden::All,
            'A' => options.hidden = Hidden::Almost,
            'l' => options.long = true,
            'g' => (options.long, options.owner) = (true, false),
            'o' => (options.long, options.group) = (true, false),
            'G' => options.group = false,
            'n' => (options.long, options.numeric) = (true, true),
            'h' => options.human = true,
            's' => options.blocks = true,
            '1' => (options.columns, options.commas) = (false, false),
            'C' => options.columns = true,
            'm' => options.commas = true,
            'R' => options.recursive = true,
            'r' => options.reverse = true,
            't' => options.order = Order::Time,
            'S' => options.order = Order::Size,
            'X' => options.order = Order::Extension,
            'U' => options.order = Order::None,
            'f' => (options.order, options.hidden) = (Order::None, Hidden::All),
            'd' => options.directory = true,
            'F' => options.classify = true,
            'p' => options.slash = true,
            'Q' => options.quoted = true,
            'L' | 'H' | 'N' | 'c' | 'u' | 'k' => {}
            _ => return Err(format!("invalid option -- '{letter}'")),
        }
    }
    Ok(())
}

fn read_long(options: &mut Options, name: &str) -> std::result::Result<(), String> {
    match name {
        "all" => options.hidden = Hidden::All,
        "almost-all" => options.hidden = Hidden::Almost,
        "human-readable" => options.human = true,
        "recursive" => options.recursive = true,
        "reverse" => options.reverse = true,
        "directory" => options.directory = true,
        "size" => options.blocks = true,
        "numeric-uid-gid" => (options.long, options.numeric) = (true, true),
        "no-group" => options.group = false,
        "classify" | "classify=always" => options.classify = true,
        "file-type" => options.slash = true,
        "group-directories-first" => options.directories_first = true,
        "full-time" => (options.long, options.times) = (true, Times::FullIso),
        "time-style=long-iso" => options.times = Times::LongIso,
        "time-style=full-iso" => options.times = Times::FullIso,
        "sort=time" => options.order = Order::Time,
        "sort=size" => options.order = Order::Size,
        "sort=extension" => options.order = Order::Extension,
        "sort=none" => options.order = Order::None,
        "sort=name" => options.order = Order::Name,
        "quote-name" => options.quoted = true,
        "literal" | "dereference" | "time-style=locale" => {}
        _ if name == "color" || name.starts_with("color=") => {}
        _ => return Err(format!("unrecognized option '--{name}'")),
    }
    Ok(())
}

fn extension(name: &str) -> &str {
    name.rfind('.').map_or("", |at| &name[at..])
}

fn compare(a: &Entry, b: &Entry, options: &Options) -> Ordering {
    let by_name = a.name.cmp(&b.name);
    match options.order {
        Order::Name => by_name,
        Order::Time => b.metadata.modified.cmp(&a.metadata.modified).then(by_name),
        Order::Size => b.metadata.size.cmp(&a.metadata.size).then(by_name),
        Order::Extension => extension(&a.name).cmp(extension(&b.name)).then(by_name),
        Order::None => Ordering::Equal,
    }
}

fn sort(entries: &mut [Entry], options: &Options) {
    entries.sort_by(|a, b| compare(a, b, options));
    if options.reverse {
        entries.reverse();
    }
    if options.directories_first {
        entries.sort_by_key(|entry| !entry.metadata.file_type.is_dir());
    }
}

fn permissions(metadata: &Metadata) -> String {
    let mut text = String::from(if metadata.file_type.is_dir() { "d" } else { "-" });
    for shift in [6, 3, 0] {
        let bits = metadata.mode >> shift;
        text.push(if bits & 4 == 0 { '-' } else { 'r' });
        text.push(if bits & 2 == 0 { '-' } else { 'w' });
        text.push(if bits & 1 == 0 { '-' } else { 'x' });
    }
    text
}

fn kib(metadata: &Metadata) -> u64 {
    metadata.size.div_ceil(BLOCK_BYTES) * BLOCK_KIB
}

fn shown_name(entry: &Entry, options: &Options) -> String {
    let mut name =
        if options.quoted { format!("\"{}\"", entry.name) } else { entry.name.clone() };
    if entry.metadata.file_type.is_dir() && (options.classify || options.slash) {
        name.push('/');
    } else if options.classify && entry.metadata.mode & 0o111 != 0 {
        name.push('*');
    }
    name
}

async fn links(fs: &Arc<dyn FileSystem>, entry: &Entry) -> usize {
    if !entry.metadata.file_type.is_dir() {
        return 1;
    }
    let below = fs.read_dir(&entry.path).await.unwrap_or_default();
    2 + below.iter().filter(|inner| inner.metadata.file_type.is_dir()).count()
}

fn shown_time(metadata: &Metadata, options: &Options) -> String {
    let since = metadata.modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    match options.times {
        Times::Locale => recent_or_year(since),
        Times::LongIso => long_iso(since),
        Times::FullIso => full_iso(since),
    }
}

/// The fields of a line of the long form before the name.
async fn fields(fs: &Arc<dyn FileSystem>, entry: &Entry, options: &Options) -> Vec<String> {
    let user = if options.numeric { "1000" } else { "user" };
    let size = entry.metadata.size;
    let mut all = Vec::new();
    if options.blocks {
        all.push(kib(&entry.metadata).to_string());
    }
    all.push(permissions(&entry.metadata));
    all.push(links(fs, entry).await.to_string());
    if options.owner {
        all.push(user.to_owned());
    }
    if options.group {
        all.push(user.to_owned());
    }
    all.push(if options.human { human(size) } else { size.to_string() });
    all.push(shown_time(&entry.metadata, options));
    all
}

async fn write_long(
    fs: &Arc<dyn FileSystem>,
    entries: &[Entry],
    options: &Options,
    output: &mut String,
) {
    let mut rows = Vec::new();
    for entry in entries {
        rows.push(fields(fs, entry, options).await);
    }
    let count = rows.first().map_or(0, Vec::len);
    let widths: Vec<usize> =
        (0..count).map(|at| rows.iter().map(|row| row[at].len()).max().unwrap_or(0)).collect();
    for (row, entry) in rows.iter().zip(entries) {
        for (text, width) in row.iter().zip(&widths) {
            let is_text = text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '-');
            if is_text {
                output.push_str(&format!("{text:<width$} "));
            } else {
                output.push_str(&format!("{text:>width$} "));
            }
        }
        output.push_str(&shown_name(entry, options));
        output.push('\n');
    }
}

/// Fills columns from top to bottom, with as few lines as fit.
fn write_columns(names: &[String], output: &mut String) {
    let lengths: Vec<usize> = names.iter().map(|name| name.chars().count()).collect();
    for rows in 1..=names.len() {
        let widths: Vec<usize> =
            lengths.chunks(rows).map(|column| column.iter().max().copied().unwrap_or(0)).collect();
        let total = widths.iter().sum::<usize>() + 2 * (widths.len() - 1);
        if total >= COLUMNS && rows < names.len() {
            continue;
        }
        for row in 0..rows {
            let mut at = row;
            for width in &widths {
                let Some(name) = names.get(at) else { break };
                output.push_str(name);
                at += rows;
                if at < names.len() {
                    output.push_str(&" ".repeat(width + 2 - name.chars().count()));
                }
            }
            output.push('\n');
        }
        return;
    }
}

async fn write_entries(
    fs: &Arc<dyn FileSystem>,
    entries: &[Entry],
    options: &Options,
    output: &mut String,
) {
    if options.long {
        return write_long(fs, entries, options, output).await;
    }
    let name_of = |entry: &Entry| {
        let name = shown_name(entry, options);
        if options.blocks { format!("{} {name}", kib(&entry.metadata)) } else { name }
    };
    let names: Vec<String> = entries.iter().map(name_of).collect();
    if names.is_empty() {
        return;
    }
    if options.commas {
        output.push_str(&names.join(", "));
        output.push('\n');
    } else if options.columns {
        write_columns(&names, output);
    } else {
        for name in names {
            output.push_str(&name);
            output.push('\n');
        }
    }
}

async fn entries_of(
    fs: &Arc<dyn FileSystem>,
    path: &Path,
    options: &Options,
) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    if options.hidden == Hidden::All {
        let parent = path.parent().unwrap_or(path);
        for (name, path) in [(".", path), ("..", parent)] {
            let metadata = fs.stat(path).await?;
            entries.push(Entry { name: name.to_owned(), path: path.to_owned(), metadata });
        }
    }
    for found in fs.read_dir(path).await? {
        if options.hidden == Hidden::Left && found.name.starts_with('.') {
            continue;
        }
        let path = path.join(&found.name);
        entries.push(Entry { name: found.name, path, metadata: found.metadata });
    }
    sort(&mut entries, options);
    Ok(entries)
}

fn reason(error: &bashkit::Error) -> &'static str {
    match error {
        bashkit::Error::Io(io) if io.kind() == std::io::ErrorKind::NotADirectory => {
            "Not a directory"
        }
        _ => "No such file or directory",
    }
}

#[async_trait]
impl Builtin for Ls {
    async fn execute(&self, context: BuiltinContext<'_>) -> Result<ExecResult> {
        let mut options = DEFAULTS;
        let mut operands = Vec::new();
        let mut arguments = context.args.iter();
        while let Some(argument) = arguments.next() {
            let read = if argument == "--" {
                operands.extend(arguments.by_ref().cloned());
                Ok(())
            } else if let Some(name) = argument.strip_prefix("--") {
                read_long(&mut options, name)
            } else if argument.len() > 1 && argument.starts_with('-') {
                read_short(&mut options, &argument[1..])
            } else {
                operands.push(argument.clone());
                Ok(())
            };
            if let Err(message) = read {
                let hint = "Try 'ls --help' for more information.";
                return Ok(ExecResult::err(format!("ls: {message}\n{hint}\n"), 2));
            }
        }
        if operands.is_empty() {
            operands.push(".".to_owned());
        }
        list(&context, &options, &operands).await
    }
}

async fn list(
    context: &BuiltinContext<'_>,
    options: &Options,
    operands: &[String],
) -> Result<ExecResult> {
    let fs = &context.fs;
    let (mut output, mut errors) = (String::new(), String::new());
    let (mut files, mut directories) = (Vec::new(), Vec::new());
    for operand in operands {
        let path = crate::paths::absolute(context.cwd, operand);
        match fs.stat(&path).await {
            Ok(metadata) => {
                let is_listed = metadata.file_type.is_dir() && !options.directory;
                let entry = Entry { name: operand.clone(), path, metadata };
                if is_listed { directories.push(entry) } else { files.push(entry) }
            }
            Err(error) => {
                let reason = reason(&error);
                errors.push_str(&format!("ls: cannot access '{operand}': {reason}\n"));
            }
        }
    }
    sort(&mut files, options);
    sort(&mut directories, options);
    write_entries(fs, &files, options, &mut output).await;
    let has_heads = options.recursive || operands.len() > 1;
    let mut waiting = directories;
    waiting.reverse();
    while let Some(directory) = waiting.pop() {
        if !output.is_empty() {
            output.push('\n');
        }
        if has_heads {
            output.push_str(&format!("{}:\n", directory.name));
        }
        let entries = entries_of(fs, &directory.path, options).await?;
        if options.long || options.blocks {
            let total: u64 = entries.iter().map(|entry| kib(&entry.metadata)).sum();
            let shown = if options.human { human(total * 1024) } else { total.to_string() };
            output.push_str(&format!("total {shown}\n"));
        }
        write_entries(fs, &entries, options, &mut output).await;
        if options.recursive {
            let below = entries.into_iter().filter(|entry| {
                entry.metadata.file_type.is_dir() && entry.name != "." && entry.name != ".."
            });
            let named = below.map(|entry| Entry {
                name: format!("{}/{}", directory.name.trim_end_matches('/'), entry.name),
                ..entry
            });
            waiting.extend(named.collect::<Vec<_>>().into_iter().rev());
        }
    }
    let exit_code = if errors.is_empty() { 0 } else { 2 };
    let mut result = ExecResult::ok(output);
    result.stderr = errors.into();
    result.exit_code = exit_code;
    Ok(result)
}
