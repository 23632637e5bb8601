/**
 * Certificates of the tests, made with openssl.
 *
 * @module
 */

/** A certificate and its key: their files and contents, in PEM. */
export interface Certificate {
  readonly path: string;
  readonly text: string;
  readonly keyPath: string;
  readonly keyText: string;
}

/** An authority; disposing of it removes all its files. */
export interface Authority extends Certificate, AsyncDisposable {
  /** A certificate for a common name and an alternative name, such as `DNS:a.example`. */
  issue(name: string, alternative: string): Promise<Certificate>;
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
const DAYS = ["-days", "2"];

/** Makes an authority. */
export async function makeAuthority(name: string): Promise<Authority> {
  const folder = await Deno.makeTempDir({ prefix: "belljar-certificates-" });
  const certificate = async (start: string): Promise<Certificate> => {
    const [path, keyPath] = [`${folder}/${start}.pem`, `${folder}/${start}.key`];
    const [text, keyText] = await Promise.all([path, keyPath].map((file) => {
      return Deno.readTextFile(file);
    }));
    return { path, text: text ?? "", keyPath, keyText: keyText ?? "" };
  };
  const files = (start: string) => ["-keyout", `${folder}/${start}.key`, "-out"];
  const authority = ["-subj", `/CN=${name}`, ...files("authority"), `${folder}/authority.pem`];
  await openssl("req", "-x509", ...KEY, ...DAYS, ...authority);
  return {
    ...await certificate("authority"),
    issue: async (common, alternative) => {
      const request = `${folder}/${common}.request`;
      await openssl("req", ...KEY, "-subj", `/CN=${common}`, ...files(common), request);
      const fields = `${folder}/${common}.extensions`;
      await Deno.writeTextFile(fields, `subjectAltName=${alternative}\n`);
      const signer = ["-CA", `${folder}/authority.pem`, "-CAkey", `${folder}/authority.key`];
      const output = ["-extfile", fields, "-CAcreateserial", "-out", `${folder}/${common}.pem`];
      await openssl("x509", "-req", "-in", request, ...DAYS, ...signer, ...output);
      return await certificate(common);
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

async function openssl(...args: string[]): Promise<void> {
  const output = await new Deno.Command("openssl", { args, stdin: "null" }).output();
  if (!output.success) throw new Error(new TextDecoder().decode(output.stderr));
}
