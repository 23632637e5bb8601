/**
 * Wheels for tests.
 */
import type { Wheel } from "../../../../runtimes/languages/python/build/pack_library.ts";
import { valueOf } from "./support.ts";

/** Makes a wheel in the guest itself; its files are written as `path: text`. */
export async function makeWheel(
  name: string,
  files: Readonly<Record<string, string>>,
): Promise<Wheel> {
  const code = `
import base64, io, json, zipfile
buffer = io.BytesIO()
with zipfile.ZipFile(buffer, "w") as wheel:
    for path, text in json.loads(${JSON.stringify(JSON.stringify(files))}).items():
        wheel.writestr(path, text)
base64.b64encode(buffer.getvalue()).decode()
`;
  const encoded = (await valueOf(code)).slice(1, -1);
  return { name, bytes: Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)) };
}

const METADATA = "Metadata-Version: 2.1\nName: Greeter\nVersion: 1.2.3\n";
/** Files of a wheel: a package with data, a module, a script that is not installed. */
export const GREETER = {
  "greeter/__init__.py":
    "from .words import WORD\ndef greet(name):\n    return f'{WORD} {name}'\ndef fail():\n    return 1 / 0\n",
  "greeter/words.py": "WORD = 'hello'\n",
  "greeter/data.txt": "some data\n",
  "greeter-1.2.3.data/purelib/extra.py": "X = 5\n",
  "greeter-1.2.3.data/scripts/run": "#!python\n",
  "greeter-1.2.3.dist-info/METADATA": METADATA,
  "greeter-1.2.3.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
};
