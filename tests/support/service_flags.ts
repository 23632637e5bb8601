import config from "../../deno.json" with { type: "json" };

/** Flags with which `deno task start` runs the service. */
export const SERVICE_FLAGS: readonly string[] = config.tasks.start.command.split(" ")
  .filter((word) => word.startsWith("--"));
