/**
 * The image of the Dockerfile, built by buildah on a Debian that debootstrap makes in place of Deno's
 * image. Needs root and a network.
 *
 * @module
 */
import { z } from "zod";
import { makeRoot, succeed } from "./debian_root.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
/** Programs that the build needs. */
export const IMAGE_PROGRAMS: readonly string[] = ["debootstrap", "buildah", "unshare"];

/** The part of `buildah inspect` that says how a container runs. */
const imageSchema = z.object({
  Docker: z.object({
    config: z.object({
      User: z.string(),
      Env: z.array(z.string()),
      Entrypoint: z.array(z.string()),
      Volumes: z.record(z.string(), z.unknown()),
      Healthcheck: z.object({ Test: z.array(z.string()) }),
    }),
  }),
});

/** A built image. */
export interface Image {
  /** The folder of its files. */
  readonly root: string;
  readonly config: z.infer<typeof imageSchema>["Docker"]["config"];
  /** Seconds of the build, once the base image is there. */
  readonly seconds: number;
}

/** Builds the image of these sources below a folder. */
export async function buildImage(folder: string, commit: string): Promise<Image> {
  const storage = ["--root", `${folder}/store`, "--runroot", `${folder}/run`];
  const buildah = async (...args: readonly string[]) => {
    return (await succeed("buildah", ...storage, "--storage-driver", "vfs", ...args)).trim();
  };
  const [, from = ""] = /^FROM (\S+)/m.exec(await Deno.readTextFile(`${ROOT}Dockerfile`)) ?? [];
  await makeRoot(`${folder}/debian`, []);
  const base = await buildah("from", "scratch");
  await buildah("copy", "--quiet", base, `${folder}/debian`, "/");
  await buildah("config", "--env", "DENO_TLS_CA_STORE=system", base);
  await buildah("commit", "--quiet", "--rm", base, `docker.io/${from}`);
  const options = ["--isolation", "chroot", "--pull-never", "--format", "docker", "--quiet"];
  const began = performance.now();
  await buildah("bud", ...options, "--build-arg", `COMMIT=${commit}`, "--tag", "belljar", ROOT);
  const seconds = (performance.now() - began) / 1_000;
  const container = await buildah("from", "--pull-never", "belljar");
  const { Docker: { config } } = imageSchema.parse(
    JSON.parse(await buildah("inspect", "--type", "image", "belljar")),
  );
  return { root: await buildah("mount", container), config, seconds };
}
