//! The parts of programs of `bc`.

#[derive(Clone, Debug)]
pub enum Place {
    Name(String),
    Element(String, Box<Expression>),
}

#[derive(Clone, Debug)]
pub enum Expression {
    Number(String),
    At(Place),
    /// Sets a place; a binary operator combines it with its old value.
    Assign(Place, Option<&'static str>, Box<Expression>),
    /// Adds a number to a place. The value is the new one, or the old one.
    Step(Place, i64, bool),
    Negative(Box<Expression>),
    Not(Box<Expression>),
    /// Operators of one strength, from left to right: `&&` and `||` leave out what they need not know.
    Chain(Box<Expression>, Vec<(&'static str, Expression)>),
    Call(String, Vec<Argument>),
    /// In parentheses, so that an assignment is printed.
    Group(Box<Expression>),
}

#[derive(Clone, Debug)]
pub enum Argument {
    Value(Expression),
    Array(String),
}

#[derive(Clone, Debug)]
pub enum Printed {
    Text(String),
    Value(Expression),
}

#[derive(Clone, Debug)]
pub enum Statement {
    Value(Expression),
    Text(String),
    Print(Vec<Printed>),
    Block(Vec<Statement>),
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    /// Start, condition and step of `for` can be absent; `while` has a condition only.
    Loop(Option<Expression>, Option<Expression>, Option<Expression>, Box<Statement>),
    Break,
    Continue,
    Return(Option<Expression>),
    Halt,
    Define(Function),
    Nothing,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub array: bool,
    /// An array that the function changes for its caller.
    pub shared: bool,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub parameters: Vec<Variable>,
    pub locals: Vec<Variable>,
    pub body: Vec<Statement>,
}
