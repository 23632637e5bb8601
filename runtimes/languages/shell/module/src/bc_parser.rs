//! The language of `bc`: statements made of words.

use crate::bc_program::{Argument, Expression, Function, Place, Printed, Statement, Variable};
use crate::bc_words::{Token, tokens};

/// Parentheses and blocks inside of one another.
const MAX_DEPTH: usize = 150;

pub struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
}

/// The words are no program.
#[derive(Debug)]
pub struct SyntaxError;
type Parsed<T> = Result<T, SyntaxError>;

/// Words that name no variable.
const RESERVED: [&str; 13] = [
    "auto", "break", "continue", "define", "else", "for", "halt", "if", "print", "quit", "return", "void",
    "while",
];

/// Operators between two values, from the weakest on. `^` is apart, because it groups to the right.
const LEVELS: [&[&str]; 5] =
    [&["||"], &["&&"], &["==", "!=", "<=", ">=", "<", ">"], &["+", "-"], &["*", "/", "%"]];
const NOT_LEVEL: usize = 2;
const SUM_LEVEL: usize = 3;

impl Parser {
    pub fn new(program: &str) -> Parser {
        Parser { tokens: tokens(program), at: 0, depth: 0 }
    }

    pub fn ended(&self) -> bool {
        self.at >= self.tokens.len()
    }

    /// The number of the line of the next word, from 1 on.
    pub fn line(&self) -> usize {
        self.tokens[..self.at.min(self.tokens.len())].iter().filter(|t| **t == Token::Line).count() + 1
    }

    /// Goes on after the end of this line.
    pub fn skip_line(&mut self) {
        while !self.ended() && self.next() != Token::Line {}
    }

    /// The statements up to the end of the line.
    pub fn statements_of_line(&mut self) -> Parsed<Vec<Statement>> {
        self.depth = 0;
        let mut statements = Vec::new();
        loop {
            if self.take_line() {
                return Ok(statements);
            }
            if self.take(";") {
                continue;
            }
            statements.push(self.statement()?);
            if !self.take(";") && self.peek() != &Token::Line {
                return Err(SyntaxError);
            }
        }
    }

    fn peek(&self) -> &Token {
        self.tokens.get(self.at).unwrap_or(&Token::Line)
    }

    fn next(&mut self) -> Token {
        self.at += 1;
        self.tokens.get(self.at - 1).cloned().unwrap_or(Token::Line)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(next) if *next == sign);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Name(next) if next == word);
        self.at += usize::from(found);
        found
    }

    fn take_line(&mut self) -> bool {
        let found = self.peek() == &Token::Line;
        self.at += usize::from(found);
        found
    }

    fn skip_lines(&mut self) {
        while !self.ended() && self.take_line() {}
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.take(sign) { Ok(()) } else { Err(SyntaxError) }
    }

    fn name(&mut self) -> Parsed<String> {
        match self.next() {
            Token::Name(name) => Ok(name),
            _ => Err(SyntaxError),
        }
    }

    /// Parses something that can hold itself.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Parser) -> Parsed<T>) -> Parsed<T> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(SyntaxError);
        }
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn statement(&mut self) -> Parsed<Statement> {
        self.nested(Parser::plain_statement)
    }

    fn plain_statement(&mut self) -> Parsed<Statement> {
        if let Token::Text(text) = self.peek() {
            let text = text.clone();
            self.at += 1;
            return Ok(Statement::Text(text));
        }
        if self.take("{") {
            return Ok(Statement::Block(self.block()?));
        }
        let Token::Name(word) = self.peek().clone() else {
            return Ok(Statement::Value(self.expression()?));
        };
        self.at += 1;
        match word.as_str() {
            "if" => self.condition(),
            "while" => {
                self.expect("(")?;
                let condition = self.expression()?;
                self.expect(")")?;
                Ok(Statement::Loop(None, Some(condition), None, self.inner_statement()?))
            }
            "for" => self.counted_loop(),
            "break" => Ok(Statement::Break),
            "continue" => Ok(Statement::Continue),
            "halt" | "quit" => Ok(Statement::Halt),
            "limits" | "warranty" => Ok(Statement::Nothing),
            "return" => {
                let alone = matches!(self.peek(), Token::Line | Token::Sign(";" | "}"));
                Ok(Statement::Return(if alone { None } else { Some(self.expression()?) }))
            }
            "print" => self.print(),
            "define" => self.definition(),
            _ => {
                self.at -= 1;
                Ok(Statement::Value(self.expression()?))
            }
        }
    }

    fn inner_statement(&mut self) -> Parsed<Box<Statement>> {
        self.skip_lines();
        Ok(Box::new(self.statement()?))
    }

    /// The statements up to a closing brace.
    fn block(&mut self) -> Parsed<Vec<Statement>> {
        let mut statements = Vec::new();
        loop {
            if self.ended() {
                return Err(SyntaxError);
            }
            if self.take("}") {
                return Ok(statements);
            }
            if !self.take_line() && !self.take(";") {
                statements.push(self.statement()?);
            }
        }
    }

    fn condition(&mut self) -> Parsed<Statement> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        let then = self.inner_statement()?;
        let end = self.at;
        // `else` may follow the end of the line.
        let _ = self.take(";");
        self.skip_lines();
        if self.take_word("else") {
            return Ok(Statement::If(condition, then, Some(self.inner_statement()?)));
        }
        self.at = end;
        Ok(Statement::If(condition, then, None))
    }

    fn counted_loop(&mut self) -> Parsed<Statement> {
        self.expect("(")?;
        let start = self.expression_before(";")?;
        let condition = self.expression_before(";")?;
        let step = self.expression_before(")")?;
        Ok(Statement::Loop(start, condition, step, self.inner_statement()?))
    }

    fn expression_before(&mut self, end: &str) -> Parsed<Option<Expression>> {
        if self.take(end) {
            return Ok(None);
        }
        let expression = self.expression()?;
        self.expect(end)?;
        Ok(Some(expression))
    }

    fn print(&mut self) -> Parsed<Statement> {
        let mut items = Vec::new();
        loop {
            items.push(match self.peek().clone() {
                Token::Text(text) => {
                    self.at += 1;
                    Printed::Text(text)
                }
                _ => Printed::Value(self.expression()?),
            });
            if !self.take(",") {
                return Ok(Statement::Print(items));
            }
        }
    }

    fn variables(&mut self, end: Option<&str>) -> Parsed<Vec<Variable>> {
        let mut variables = Vec::new();
        if end.is_some_and(|sign| self.take(sign)) {
            return Ok(variables);
        }
        loop {
            let shared = self.take("*") || self.take("&");
            let name = self.name()?;
            let array = self.take("[");
            if array {
                self.expect("]")?;
            }
            variables.push(Variable { name, array, shared });
            if !self.take(",") {
                break;
            }
        }
        if let Some(sign) = end {
            self.expect(sign)?;
        }
        Ok(variables)
    }

    fn definition(&mut self) -> Parsed<Statement> {
        let mut name = self.name()?;
        if name == "void" && matches!(self.peek(), Token::Name(_)) {
            name = self.name()?;
        }
        self.expect("(")?;
        let parameters = self.variables(Some(")"))?;
        self.skip_lines();
        self.expect("{")?;
        self.skip_lines();
        let locals = if self.take_word("auto") { self.variables(None)? } else { Vec::new() };
        let body = self.block()?;
        Ok(Statement::Define(Function { name, parameters, locals, body }))
    }

    fn expression(&mut self) -> Parsed<Expression> {
        self.nested(|parser| parser.level(0))
    }

    fn level(&mut self, level: usize) -> Parsed<Expression> {
        if level == NOT_LEVEL && self.take("!") {
            let inner = self.nested(|parser| parser.level(NOT_LEVEL))?;
            return Ok(Expression::Not(Box::new(inner)));
        }
        let Some(operators) = LEVELS.get(level) else { return self.power() };
        let first = self.level(level + 1)?;
        let mut more = Vec::new();
        while let Token::Sign(sign) = *self.peek()
            && operators.contains(&sign)
        {
            self.at += 1;
            more.push((sign, self.level(level + 1)?));
        }
        Ok(if more.is_empty() { first } else { Expression::Chain(Box::new(first), more) })
    }

    fn power(&mut self) -> Parsed<Expression> {
        let base = self.unary()?;
        if !self.take("^") && !self.take("**") {
            return Ok(base);
        }
        let exponent = self.nested(Parser::power)?;
        Ok(Expression::Chain(Box::new(base), vec![("^", exponent)]))
    }

    fn unary(&mut self) -> Parsed<Expression> {
        if self.take("-") {
            return Ok(Expression::Negative(Box::new(self.nested(Parser::unary)?)));
        }
        for (sign, step) in [("++", 1), ("--", -1)] {
            if self.take(sign) {
                return Ok(Expression::Step(self.place()?, step, true));
            }
        }
        self.primary()
    }

    fn place(&mut self) -> Parsed<Place> {
        let name = self.name()?;
        if RESERVED.contains(&name.as_str()) {
            return Err(SyntaxError);
        }
        if !self.take("[") {
            return Ok(Place::Name(name));
        }
        let index = self.expression()?;
        self.expect("]")?;
        Ok(Place::Element(name, Box::new(index)))
    }

    fn primary(&mut self) -> Parsed<Expression> {
        match self.peek().clone() {
            Token::Number(text) => {
                self.at += 1;
                Ok(Expression::Number(text))
            }
            Token::Sign("(") => {
                self.at += 1;
                let inner = self.expression()?;
                self.expect(")")?;
                Ok(Expression::Group(Box::new(inner)))
            }
            Token::Name(name) if self.tokens.get(self.at + 1) == Some(&Token::Sign("(")) => {
                self.at += 2;
                Ok(Expression::Call(name, self.arguments()?))
            }
            Token::Name(_) => self.place_value(),
            _ => Err(SyntaxError),
        }
    }

    fn arguments(&mut self) -> Parsed<Vec<Argument>> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            let following = self.tokens.get(self.at + 1..self.at + 3);
            arguments.push(match (self.peek().clone(), following) {
                (Token::Name(name), Some([Token::Sign("["), Token::Sign("]")])) => {
                    self.at += 3;
                    Argument::Array(name)
                }
                _ => Argument::Value(self.expression()?),
            });
            if !self.take(",") {
                self.expect(")")?;
                return Ok(arguments);
            }
        }
    }

    /// A variable, what is assigned to it, or a step of it.
    fn place_value(&mut self) -> Parsed<Expression> {
        let place = self.place()?;
        let Token::Sign(sign) = *self.peek() else { return Ok(Expression::At(place)) };
        let operator = match sign {
            "=" => None,
            "+=" => Some("+"),
            "-=" => Some("-"),
            "*=" => Some("*"),
            "/=" => Some("/"),
            "%=" => Some("%"),
            "^=" => Some("^"),
            "++" | "--" => {
                self.at += 1;
                return Ok(Expression::Step(place, if sign == "++" { 1 } else { -1 }, false));
            }
            _ => return Ok(Expression::At(place)),
        };
        self.at += 1;
        let value = self.nested(|parser| parser.level(SUM_LEVEL))?;
        Ok(Expression::Assign(place, operator, Box::new(value)))
    }
}
