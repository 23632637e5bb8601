/** Section A of the contract against the fake service: in the process, and through `connect()`. */
import { connect } from "../../client/mod.ts";
import { clientConformance, opened } from "./conformance.ts";
import { createFakeService } from "./fake_service.ts";

clientConformance("in-process bindings", () => opened(createFakeService().env));

clientConformance("connect()", () => {
  const { gateway } = createFakeService({ token: "secret" });
  const options = { token: "secret", fetch: gateway };
  return opened(connect("https://belljar.example/base/..", options));
});
