//! Runs programs of `bc`.

use std::collections::HashMap;

use crate::bc_math;
use crate::bc_number::Number;
use crate::bc_operators::{Run, RuntimeError, combined, failed};
use crate::bc_output::Output;
use crate::bc_parser::Parser;
use crate::bc_program::{Argument, Expression, Function, Place, Printed, Statement, Variable};

/// Calls inside of one another. Each takes some kilobytes of the module's stack.
const MAX_CALLS: usize = 400;
const MAX_SCALE: i64 = 1 << 20;
const MATH_SCALE: i64 = 20;

/// How a statement ends.
enum Flow {
    Next,
    Break,
    Continue,
    Return(Number),
    Halt,
}

type Array = HashMap<i64, Number>;

/// What a call hides of the variables of its caller.
enum Hidden {
    Scalar(String, Option<Number>),
    Array(String, Option<Array>),
}

pub struct Machine {
    scalars: HashMap<String, Number>,
    arrays: HashMap<String, Array>,
    functions: HashMap<String, Function>,
    input_base: i64,
    output_base: i64,
    scale: i64,
    math: bool,
    /// Names of the functions that are being called; after an error, its place.
    calls: Vec<String>,
    pub output: Output,
    pub errors: String,
}

impl Machine {
    pub fn new(math: bool) -> Machine {
        Machine {
            scalars: HashMap::new(),
            arrays: HashMap::new(),
            functions: HashMap::new(),
            input_base: 10,
            output_base: 10,
            scale: if math { MATH_SCALE } else { 0 },
            math,
            calls: Vec::new(),
            output: Output::default(),
            errors: String::new(),
        }
    }

    /// Runs a program line by line. Whether the next one is to be run.
    pub fn run(&mut self, name: &str, program: &str) -> bool {
        let mut parser = Parser::new(program);
        while !parser.ended() {
            let statements = match parser.statements_of_line() {
                Ok(statements) => statements,
                Err(_) => {
                    self.errors += &format!("{name} {}: syntax error\n", parser.line());
                    parser.skip_line();
                    continue;
                }
            };
            self.calls.clear();
            match self.execute_all(&statements) {
                Ok(Flow::Halt) => return false,
                Ok(_) => {}
                Err(RuntimeError(reason)) => {
                    let place = self.calls.last().map_or("(main)", String::as_str);
                    self.errors += &format!("Runtime error (func={place}): {reason}\n");
                }
            }
        }
        true
    }

    fn scale(&self) -> usize {
        self.scale as usize
    }

    fn put_value(&mut self, value: &Number) {
        self.output.put(&value.text(self.output_base));
        self.scalars.insert("last".to_owned(), value.clone());
    }

    fn execute_all(&mut self, statements: &[Statement]) -> Run<Flow> {
        for statement in statements {
            match self.execute(statement)? {
                Flow::Next => {}
                ended => return Ok(ended),
            }
        }
        Ok(Flow::Next)
    }

    fn execute(&mut self, statement: &Statement) -> Run<Flow> {
        match statement {
            Statement::Nothing => {}
            Statement::Value(expression) => {
                let value = self.value(expression)?;
                if !matches!(expression, Expression::Assign(..)) {
                    self.put_value(&value);
                    self.output.put("\n");
                }
            }
            Statement::Text(text) => self.output.put(text),
            Statement::Print(items) => {
                for item in items {
                    match item {
                        Printed::Text(text) => self.output.put_escaped(text),
                        Printed::Value(expression) => {
                            let value = self.value(expression)?;
                            self.put_value(&value);
                        }
                    }
                }
            }
            Statement::Block(statements) => return self.execute_all(statements),
            Statement::If(condition, then, otherwise) => {
                if !self.value(condition)?.is_zero() {
                    return self.execute(then);
                }
                if let Some(statement) = otherwise {
                    return self.execute(statement);
                }
            }
            Statement::Loop(start, condition, step, body) => return self.repeat(start, condition, step, body),
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Halt => return Ok(Flow::Halt),
            Statement::Return(None) => return Ok(Flow::Return(Number::integer(0))),
            Statement::Return(Some(expression)) => return Ok(Flow::Return(self.value(expression)?)),
            Statement::Define(function) => {
                self.functions.insert(function.name.clone(), function.clone());
            }
        }
        Ok(Flow::Next)
    }

    fn repeat(
        &mut self,
        start: &Option<Expression>,
        condition: &Option<Expression>,
        step: &Option<Expression>,
        body: &Statement,
    ) -> Run<Flow> {
        if let Some(expression) = start {
            self.value(expression)?;
        }
        loop {
            if let Some(expression) = condition
                && self.value(expression)?.is_zero()
            {
                return Ok(Flow::Next);
            }
            match self.execute(body)? {
                Flow::Next | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Next),
                ended => return Ok(ended),
            }
            if let Some(expression) = step {
                self.value(expression)?;
            }
        }
    }

    fn value(&mut self, expression: &Expression) -> Run<Number> {
        match expression {
            Expression::Number(text) => Ok(Number::parse(text, self.input_base as u32)),
            Expression::Group(inner) => self.value(inner),
            Expression::Negative(inner) => Ok(self.value(inner)?.negated()),
            Expression::Not(inner) => Ok(Number::truth(self.value(inner)?.is_zero())),
            Expression::At(place) => {
                let index = self.index(place)?;
                Ok(self.read(place, index))
            }
            Expression::Assign(place, operator, inner) => {
                let index = self.index(place)?;
                let value = self.value(inner)?;
                let value = match operator {
                    Some(operator) => combined(operator, &self.read(place, index), &value, self.scale())?,
                    None => value,
                };
                self.write(place, index, value.clone())?;
                Ok(value)
            }
            Expression::Step(place, step, changed_first) => {
                let index = self.index(place)?;
                let before = self.read(place, index);
                let after = before.add(&Number::integer(*step));
                self.write(place, index, after.clone())?;
                Ok(if *changed_first { after } else { before })
            }
            Expression::Chain(first, more) => {
                let mut left = self.value(first)?;
                for (operator, inner) in more {
                    left = match *operator {
                        "&&" if left.is_zero() => Number::truth(false),
                        "||" if !left.is_zero() => Number::truth(true),
                        _ => {
                            let right = self.value(inner)?;
                            combined(operator, &left, &right, self.scale())?
                        }
                    };
                }
                Ok(left)
            }
            Expression::Call(name, arguments) => self.call(name, arguments),
        }
    }

    fn index(&mut self, place: &Place) -> Run<i64> {
        let Place::Element(_, expression) = place else { return Ok(0) };
        match self.value(expression)?.to_integer() {
            Some(index) if index >= 0 => Ok(index),
            _ => failed("Array subscript out of bounds."),
        }
    }

    fn read(&self, place: &Place, index: i64) -> Number {
        let found = match place {
            Place::Element(name, _) => self.arrays.get(name).and_then(|array| array.get(&index)),
            Place::Name(name) => match name.as_str() {
                "scale" => return Number::integer(self.scale),
                "ibase" => return Number::integer(self.input_base),
                "obase" => return Number::integer(self.output_base),
                _ => self.scalars.get(name),
            },
        };
        found.cloned().unwrap_or_else(|| Number::integer(0))
    }

    fn write(&mut self, place: &Place, index: i64, value: Number) -> Run<()> {
        match place {
            Place::Element(name, _) => {
                self.arrays.entry(name.clone()).or_default().insert(index, value);
            }
            Place::Name(name) => {
                let number = value.to_integer().unwrap_or(i64::MAX);
                match name.as_str() {
                    "scale" => self.scale = number.clamp(0, MAX_SCALE),
                    "ibase" => self.input_base = number.clamp(2, 36),
                    "obase" => self.output_base = number.clamp(2, i64::from(i32::MAX)),
                    _ => {
                        self.scalars.insert(name.clone(), value);
                    }
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, name: &str, arguments: &[Argument]) -> Run<Number> {
        if let Some(function) = self.functions.get(name) {
            let function = function.clone();
            return self.call_function(&function, arguments);
        }
        let mut values = Vec::new();
        for argument in arguments {
            match argument {
                Argument::Value(expression) => values.push(self.value(expression)?),
                Argument::Array(array) if name == "length" => {
                    let length = self.arrays.get(array).map_or(0, HashMap::len);
                    return Ok(Number::integer(length as i64));
                }
                Argument::Array(_) => return failed("Parameter type mismatch"),
            }
        }
        let scale = self.scale();
        let result = match (name, values.as_slice()) {
            ("length", [value]) => Number::integer(value.length() as i64),
            ("scale", [value]) => Number::integer(value.scale() as i64),
            ("sqrt", [value]) => match value.root(scale) {
                Some(root) => root,
                None => return failed("Square root of a negative number"),
            },
            ("s", [value]) if self.math => bc_math::sine(value, scale),
            ("c", [value]) if self.math => bc_math::cosine(value, scale),
            ("a", [value]) if self.math => bc_math::arctangent(value, scale),
            ("l", [value]) if self.math => bc_math::logarithm(value, scale),
            ("e", [value]) if self.math => bc_math::exponential(value, scale),
            ("j", [order, value]) if self.math => bc_math::bessel(order, value, scale),
            _ => return failed(&format!("Function {name} not defined.")),
        };
        Ok(result)
    }

    fn call_function(&mut self, function: &Function, arguments: &[Argument]) -> Run<Number> {
        if arguments.len() != function.parameters.len() {
            return failed("Parameter number mismatch");
        }
        if self.calls.len() >= MAX_CALLS {
            return failed("Function calls are nested too deeply");
        }
        let mut hidden = Vec::new();
        let mut given = Vec::new();
        for (argument, parameter) in arguments.iter().zip(&function.parameters) {
            match argument {
                Argument::Value(expression) if !parameter.array => given.push(Ok(self.value(expression)?)),
                Argument::Array(name) if parameter.array => {
                    given.push(Err(self.arrays.get(name).cloned().unwrap_or_default()));
                }
                _ => return failed("Parameter type mismatch"),
            }
        }
        for (parameter, value) in function.parameters.iter().zip(given) {
            match value {
                Ok(number) => hidden.push(self.hide_scalar(&parameter.name, number)),
                Err(array) => hidden.push(self.hide_array(&parameter.name, array)),
            }
        }
        for local in &function.locals {
            hidden.push(if local.array {
                self.hide_array(&local.name, Array::new())
            } else {
                self.hide_scalar(&local.name, Number::integer(0))
            });
        }
        self.calls.push(function.name.clone());
        let ended = self.execute_all(&function.body);
        let changed = self.shared_arrays(&function.parameters, arguments);
        for one in hidden.into_iter().rev() {
            self.show(one);
        }
        self.arrays.extend(changed);
        let flow = ended?;
        self.calls.pop();
        Ok(match flow {
            Flow::Return(value) => value,
            _ => Number::integer(0),
        })
    }

    /// The arrays that a call has changed for its caller, by the caller's names.
    fn shared_arrays(&self, parameters: &[Variable], arguments: &[Argument]) -> Vec<(String, Array)> {
        let pairs = parameters.iter().zip(arguments);
        let shared = pairs.filter_map(|(parameter, argument)| match argument {
            Argument::Array(name) if parameter.shared => {
                Some((name.clone(), self.arrays.get(&parameter.name).cloned().unwrap_or_default()))
            }
            _ => None,
        });
        shared.collect()
    }

    fn hide_scalar(&mut self, name: &str, value: Number) -> Hidden {
        Hidden::Scalar(name.to_owned(), self.scalars.insert(name.to_owned(), value))
    }

    fn hide_array(&mut self, name: &str, array: Array) -> Hidden {
        Hidden::Array(name.to_owned(), self.arrays.insert(name.to_owned(), array))
    }

    fn show(&mut self, hidden: Hidden) {
        match hidden {
            Hidden::Scalar(name, Some(value)) => drop(self.scalars.insert(name, value)),
            Hidden::Scalar(name, None) => drop(self.scalars.remove(&name)),
            Hidden::Array(name, Some(array)) => drop(self.arrays.insert(name, array)),
            Hidden::Array(name, None) => drop(self.arrays.remove(&name)),
        }
    }
}
