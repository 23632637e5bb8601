console.log("before");
class ConfigError extends Error {
  constructor(key, options) {
    super(`Missing configuration key "${key}"`, options);
    this.name = "ConfigError";
    this.key = key;
  }
}
function load(config) {
  for (const key of ["host", "port"]) {
    if (!(key in config)) throw new ConfigError(key, { cause: new TypeError("undefined value") });
    console.log(key, "=", config[key]);
  }
}
process.on("exit", (code) => console.log("exiting with", code));
load({ host: "example.org" });
console.log("never reached");
