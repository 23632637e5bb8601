/**
 * The resolution against a search through all choices, in small worlds made from a seed.
 */
import { assert, assertEquals } from "@std/assert";
import { parseWheelName } from "../../../../runtimes/builder/wheel_name.ts";
import type { Candidate } from "../../../../runtimes/builder/wheels/candidate.ts";
import { CommandRefused } from "../../../../runtimes/builder/command/refusal.ts";
import {
  parseRequirement,
  type Requirement,
} from "../../../../runtimes/builder/wheels/requirement.ts";
import { resolve, type ResolverCatalog } from "../../../../runtimes/builder/wheels/resolver.ts";
import { isWithin } from "../../../../runtimes/builder/wheels/versions.ts";
import { count } from "../../../support/counts.ts";
import { printedSeed, seededBelow } from "../../../support/random.ts";

/** The needs of each version of each package; the first version is the newest. */
type World = ReadonlyMap<string, ReadonlyMap<string, readonly string[]>>;

const NAMES = ["a", "b", "c", "d", "e"];

function makeWorld(below: (bound: number) => number): World {
  const needs = () =>
    Array.from({ length: below(3) }, () => {
      const operator = [">=", "<=", "==", "!=", ""][below(5)] ?? "";
      const version = operator === "" ? "" : String(1 + below(3));
      return `${NAMES[below(NAMES.length)]}${operator}${version}`;
    });
  return new Map(NAMES.map((name) => {
    const versions = Array.from({ length: 1 + below(3) }, (_, index) => String(index + 1));
    return [name, new Map(versions.reverse().map((version) => [version, needs()]))];
  }));
}

function parsed(text: string): Requirement {
  const requirement = parseRequirement(text);
  assert(requirement !== undefined, text);
  return requirement;
}

function catalogOf(world: World): ResolverCatalog {
  return {
    async *candidates(name, specifiers) {
      for (const version of await Promise.resolve(world.get(name)?.keys() ?? [])) {
        if (specifiers.every((specifier) => isWithin(version, specifier))) {
          yield candidateOf(name, version);
        }
      }
    },
    needs: ({ name, version }) =>
      Promise.resolve({ requires: world.get(name)?.get(version) ?? [], extras: {} }),
    explain: (name) => Promise.resolve(`no ${name}`),
  };
}

function candidateOf(name: string, version: string): Candidate {
  const wheel = parseWheelName(`${name}-${version}-py3-none-any.whl`);
  assert(wheel !== undefined);
  return {
    name,
    version,
    wheel,
    source: "index",
    sha256: "",
    url: new URL("https://index.example/"),
    metadata: undefined,
    depends: undefined,
    requires: undefined,
    extras: {},
  };
}

/** Whether versions are there for everything that is needed, within all bounds. */
function isSolution(
  world: World,
  wanted: readonly Requirement[],
  versions: ReadonlyMap<string, string>,
): boolean {
  const needs = [...versions].flatMap(([name, version]) =>
    (world.get(name)?.get(version) ?? []).map(parsed)
  );
  return [...wanted, ...needs].every(({ name, specifier }) => {
    const version = versions.get(name);
    return version !== undefined && isWithin(version, specifier);
  });
}

/** Whether there is a solution: tries each version of each package, and its absence. */
function isSolvable(world: World, wanted: readonly Requirement[]): boolean {
  const search = (names: readonly string[], versions: ReadonlyMap<string, string>): boolean => {
    const [name, ...rest] = names;
    if (name === undefined) return isSolution(world, wanted, versions);
    return search(rest, versions) ||
      [...world.get(name)?.keys() ?? []].some((version) =>
        search(rest, new Map(versions).set(name, version))
      );
  };
  return search(NAMES, new Map());
}

Deno.test("wheels resolver: resolve() finds a solution exactly when one exists", async () => {
  const seed = printedSeed("wheels resolver");
  const seen = { solved: 0, refused: 0 };
  for (let round = 0; round < count(200, 2000); round++) {
    const below = seededBelow(seed + round);
    const world = makeWorld(below);
    const wanted = [...new Set([below(5), below(5)])].map((index) => parsed(NAMES[index] ?? ""));
    try {
      const chosen = await resolve(wanted, catalogOf(world));
      const versions = [...chosen].map(([name, { candidate }]) =>
        [name, candidate.version] as const
      );
      assert(isSolution(world, wanted, new Map(versions)), `round ${round} is no solution`);
      seen.solved++;
    } catch (thrown) {
      if (!(thrown instanceof CommandRefused)) throw thrown;
      assertEquals(isSolvable(world, wanted), false, `round ${round} has a solution`);
      seen.refused++;
    }
  }
  assert(seen.solved > 10 && seen.refused > 10, JSON.stringify(seen));
});
