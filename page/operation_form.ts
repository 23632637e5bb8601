/**
 * Fields for what an operation takes.
 *
 * @module
 */
import { type Child, el, withDescription, withLabel } from "./dom.ts";
import { jsonText } from "./json_text.ts";
import type { OperationInput } from "./operation_request.ts";
import type { Operation, OperationBody, Parameter } from "./operations.ts";

/**
 * The input. Operations share the values of parameters with one name; each has its own body, by
 * its id.
 */
export interface FormInput {
  readonly parameters: { [name: string]: string };
  readonly bodies: { [id: string]: string };
}

const MIN_ROWS = 6;

/** Creates the fields of an operation. What is typed before is there again. */
export function operationForm(
  operation: Operation,
  typed: FormInput,
): { readonly elements: readonly HTMLElement[]; readonly read: () => OperationInput } {
  const { id, method, path, description, parameters, body, types } = operation;
  const field = (parameter: Parameter) => parameterField(parameter, typed);
  const isHeader = (parameter: Parameter) => parameter.in === "header";
  // a value that is sent must be seen
  const open = parameters.some((parameter) =>
    isHeader(parameter) && typed.parameters[parameter.name]
  );
  const headers = parameters.filter(isHeader).map(field);
  const written = body === undefined ? undefined : bodyField(id, body, typed);
  const wanted = el(
    "select",
    {},
    ...types.map((type) => el("option", { value: type }, type)),
  );
  const elements = [
    el("p", {}, el("b", {}, method), " ", el("code", {}, path)),
    el("p", { class: "hint" }, ...withCode(description)),
    ...parameters.filter((parameter) => !isHeader(parameter)).map(field),
    ...(headers.length === 0
      ? []
      : [el("details", { open }, el("summary", {}, "Headers of the request"), ...headers)]),
    ...written?.elements ?? [],
    ...(types.length < 2 ? [] : [withLabel("Answer as", wanted)]),
  ];
  const read = (): OperationInput => ({
    parameters: typed.parameters,
    body: written?.read(),
    type: types.length < 2 ? "" : wanted.value,
  });
  return { elements, read };
}

function parameterField({ name, required, description, values }: Parameter, typed: FormInput) {
  const options = values.map((value) => el("option", { value }, value));
  const field = values.length > 0
    ? el("select", {}, ...required ? [] : [el("option", { value: "" }, "–")], ...options)
    : el("input", { required, autocomplete: "off", spellcheck: "false" });
  const before = typed.parameters[name];
  if (before !== undefined && (values.length === 0 || values.includes(before))) {
    field.value = before;
  }
  typed.parameters[name] = field.value;
  field.addEventListener("input", () => {
    typed.parameters[name] = field.value;
  });
  return withDescription(required ? name : `${name} (optional)`, field, withCode(description));
}

function bodyField(
  id: string,
  { type, examples }: OperationBody,
  typed: FormInput,
): { readonly elements: readonly HTMLElement[]; readonly read: () => BodyInit } {
  const area = el("textarea", { rows: MIN_ROWS, spellcheck: "false" });
  const file = el("input", { type: "file" });
  const put = (text: string) => {
    area.value = text;
    area.rows = Math.max(MIN_ROWS, text.split("\n").length);
    typed.bodies[id] = text;
  };
  const [example] = examples;
  put(typed.bodies[id] ?? (example === undefined ? "" : jsonText(example.value)));
  const choice = el(
    "select",
    {},
    el("option", { value: "" }, "as written below"),
    ...examples.map(({ name }, index) => el("option", { value: index }, name)),
  );
  choice.addEventListener("input", () => {
    const chosen = choice.value === "" ? undefined : examples[Number(choice.value)];
    if (chosen !== undefined) put(jsonText(chosen.value));
  });
  area.addEventListener("input", () => {
    typed.bodies[id] = area.value;
    choice.value = "";
  });
  const isFile = type.includes("*");
  return {
    elements: [
      ...(examples.length < 2 ? [] : [withLabel("Example", choice)]),
      withLabel(isFile ? "Body" : `Body (${type})`, area),
      ...(isFile ? [withLabel("or a file as body", file)] : []),
    ],
    read: () => file.files?.[0] ?? area.value,
  };
}

/** A description, with text in backticks as code. */
function withCode(text: string): readonly Child[] {
  return text.split("`").map((part, index) => index % 2 === 1 ? el("code", {}, part) : part);
}
