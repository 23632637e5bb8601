import { assertEquals, assertThrows } from "@std/assert";
import { ServiceError } from "../../shared/errors.ts";
import { QUERY_PARAMETERS } from "../../shared/limits.ts";
import { queryOf } from "../../shared/query.ts";

const URL_START = "http://service.test/runs";

Deno.test("queryOf() gives the decoded parameters, the same name as often as it is sent", () => {
  const query = queryOf(`${URL_START}?a=1&b=%C3%A9&a=2&c`);
  assertEquals([...query], [["a", "1"], ["b", "é"], ["a", "2"], ["c", ""]]);
  assertEquals([...queryOf(URL_START)], []);
});

Deno.test("queryOf() refuses more parameters than the maximum, before it reads them", () => {
  const most = Array.from({ length: QUERY_PARAMETERS }, (_, at) => `p${at}=${at}`).join("&");
  assertEquals([...queryOf(`${URL_START}?${most}`)].length, QUERY_PARAMETERS);
  for (const query of [`${most}&`, `${most}&q`, "&".repeat(60_000), "?a=b&".repeat(12_000)]) {
    const refused = assertThrows(() => queryOf(`${URL_START}?${query}`), ServiceError);
    assertEquals([refused.code, refused.status], ["VALIDATION_FAILED", 400]);
  }
});
