//! The output of `bc`.

/// A line has one character less, and a backslash if it goes on.
const LINE_LENGTH: usize = 69;

#[derive(Default)]
pub struct Output {
    pub text: String,
    column: usize,
}

impl Output {
    /// Adds to the output, with a backslash at the end of a line that is too long.
    pub fn put(&mut self, text: &str) {
        for character in text.chars() {
            if character == '\n' {
                self.column = 0;
            } else {
                self.column += 1;
                if self.column == LINE_LENGTH {
                    self.text += "\\\n";
                    self.column = 1;
                }
            }
            self.text.push(character);
        }
    }

    /// The text of a `print` statement, with its escapes.
    pub fn put_escaped(&mut self, text: &str) {
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            let shown = match character {
                '\\' => match characters.next() {
                    Some('n') => "\n",
                    Some('t') => "\t",
                    Some('r') => "\r",
                    Some('a') => "\x07",
                    Some('b') => "\x08",
                    Some('f') => "\x0c",
                    Some('q') => "\"",
                    Some('\\') => "\\",
                    _ => "",
                },
                _ => {
                    self.put(character.encode_utf8(&mut [0; 4]));
                    continue;
                }
            };
            self.put(shown);
        }
    }
}
