//! The words of programs of `bc`.

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Number(String),
    Name(String),
    Text(String),
    Sign(&'static str),
    Line,
    Wrong(char),
}

/// Longer signs first.
const SIGNS: &[&str] = &[
    "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "==", "!=", "<=", ">=", "&&", "||", "**", "+", "-",
    "*", "/", "%", "^", "=", "<", ">", "!", "(", ")", "[", "]", "{", "}", ",", ";", "&",
];

/// Words of a program.
pub fn tokens(program: &str) -> Vec<Token> {
    let (mut rest, mut found) = (program, Vec::new());
    while let Some(first) = rest.chars().next() {
        let taken = if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '#' {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(tail) = rest.strip_prefix('"') {
            let end = tail.find('"').unwrap_or(tail.len());
            found.push(Token::Text(tail[..end].to_owned()));
            (end + 2).min(rest.len())
        } else if first == '\n' {
            found.push(Token::Line);
            1
        } else if first.is_whitespace() {
            first.len_utf8()
        } else if rest.starts_with("\\\n") {
            2
        } else if first.is_ascii_digit() || first.is_ascii_uppercase() || first == '.' {
            let (text, length) = number(rest);
            found.push(if text == "." { Token::Name("last".to_owned()) } else { Token::Number(text) });
            length
        } else if first.is_ascii_lowercase() {
            let inside = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            let end = rest.find(|c| !inside(c)).unwrap_or(rest.len());
            found.push(Token::Name(rest[..end].to_owned()));
            end
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            found.push(Token::Sign(sign));
            sign.len()
        } else {
            found.push(Token::Wrong(first));
            first.len_utf8()
        };
        rest = &rest[taken..];
    }
    found.push(Token::Line);
    found
}

/// Digits with one point, over the ends of lines after a backslash, and the bytes that they take.
fn number(text: &str) -> (String, usize) {
    let (mut digits, mut length, mut point) = (String::new(), 0, false);
    while let Some(next) = text[length..].chars().next() {
        if text[length..].starts_with("\\\n") {
            length += 2;
        } else if next.is_ascii_digit() || next.is_ascii_uppercase() || (next == '.' && !point) {
            point |= next == '.';
            digits.push(next);
            length += 1;
        } else {
            break;
        }
    }
    (digits, length)
}
