const { inspect } = require("util");
throw { code: 7, at: { a: { b: { c: { d: { e: { f: 1 } } } } } }, [inspect.custom]: () => "hidden" };
