/**
 * Globals of the web platform that most programs do not use. They are bundled apart from the rest of
 * the environment, and evaluated when a program first uses one of them: so they cost the others no
 * memory and no time.
 *
 * @module
 */
import { exposeInterface } from "../web/expose.ts";
import { adapters } from "./adapters.ts";
import { WithBody } from "./body.ts";
import { diagnosticsChannel } from "./diagnostics_channel.ts";
import { FormData } from "./form_data.ts";
import { Headers } from "./headers.ts";
import {
  BroadcastChannel,
  defineHandlers,
  MessageChannel,
  MessageEvent,
  MessagePort,
} from "./messages.ts";
import { Request } from "./request.ts";
import { Response } from "./response.ts";
import { createStreams, streamOf } from "./streams.ts";

/** In Node, the methods of bodies are those of each class. */
function copyBodyMembers(target: { readonly prototype: object }): void {
  for (const key of Object.getOwnPropertyNames(WithBody.prototype)) {
    if (key === "constructor") continue;
    const descriptor = Object.getOwnPropertyDescriptor(WithBody.prototype, key);
    if (descriptor !== undefined) Object.defineProperty(target.prototype, key, descriptor);
  }
}

const own = {
  ...{ BroadcastChannel, FormData, Headers, MessageChannel, MessageEvent, MessagePort },
  ...{ Request, Response },
};
defineHandlers();
for (const target of [Request, Response]) copyBodyMembers(target);
for (const [name, target] of Object.entries(own)) exposeInterface(target, name);
const globals = { ...createStreams(), ...own };
__belljar_deliver__({ ...globals, adapters, diagnosticsChannel, streamOf });
