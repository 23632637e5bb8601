/**
 * Chooses one version of each needed package so that all requirements are met.
 *
 * The search tries candidates in the order of the catalogue. On a conflict it goes back to the
 * latest choice that takes part in the conflict (conflict-directed backjumping). The error shows the
 * first conflict, because it concerns the preferred choices.
 *
 * @module
 */
import { MAX_PACKAGES } from "../wheels_lock.ts";
import type { Candidate } from "./candidate.ts";
import { MetadataError, type Needs } from "./metadata.ts";
import { CommandRefused } from "../command/refusal.ts";
import { parseRequirement, type Requirement, requirementText } from "./requirement.ts";
import { isExact, isWithin } from "./versions.ts";

/** The source of candidates. */
export interface ResolverCatalog {
  /** Candidates that meet all specifiers, best first. `owners`: the packages that need the package. */
  candidates(
    name: string,
    specifiers: readonly string[],
    owners: readonly Candidate[],
  ): AsyncIterable<Candidate>;
  /** The requirements of a candidate. Throws a MetadataError if its metadata is not readable. */
  needs(candidate: Candidate): Promise<Needs>;
  /** The reason why there is no candidate: a text that begins with the name. */
  explain(name: string, specifiers: readonly string[]): Promise<string>;
}

/** A chosen package. */
export interface Choice {
  readonly candidate: Candidate;
  readonly needs: Needs;
  readonly extras: readonly string[];
}

/** A requirement and the package that has it; undefined for the operator's own requirements. */
interface Wanted {
  readonly requirement: Requirement;
  readonly by: Candidate | undefined;
}

interface State {
  readonly chosen: ReadonlyMap<string, Choice>;
  /** Requirements that are not processed yet. */
  readonly pending: readonly Wanted[];
  /** All requirements so far. */
  readonly wanted: readonly Wanted[];
}

/** Maximum number of candidates to try. */
const MAX_TRIES = 2000;
const MAX_REQUIREMENTS = 10_000;

/** Requirements that conflict. */
class Conflict extends Error {
  override readonly name = "Conflict";
  /** Packages for which another choice may resolve the conflict. */
  readonly culprits: ReadonlySet<string>;

  constructor(message: string, culprits: ReadonlySet<string>) {
    super(message);
    this.culprits = culprits;
  }
}

/** The chosen packages by name. Throws a CommandRefused that explains the conflict. */
export async function resolve(
  requirements: readonly Requirement[],
  catalog: ResolverCatalog,
): Promise<ReadonlyMap<string, Choice>> {
  // Exact versions of the operator come first, because they leave the fewest candidates.
  const wanted = requirements.map((requirement) => ({ requirement, by: undefined }))
    .sort((a, b) =>
      Number(isExact(b.requirement.specifier)) - Number(isExact(a.requirement.specifier))
    );
  const search = new Search(catalog);
  try {
    return await search.solve({ chosen: new Map(), pending: wanted, wanted });
  } catch (thrown) {
    if (!(thrown instanceof Conflict)) throw thrown;
    throw new CommandRefused(search.explanation ?? thrown.message);
  }
}

class Search {
  readonly #catalog: ResolverCatalog;
  #tries = 0;
  /** Number of candidates tried after the first conflict. */
  #others = 0;
  #first: string | undefined;

  constructor(catalog: ResolverCatalog) {
    this.#catalog = catalog;
  }

  /** The explanation for the operator; undefined without a conflict. */
  get explanation(): string | undefined {
    if (this.#first === undefined || this.#others === 0) return this.#first;
    return `${this.#first}\nNo other choice of versions works (${this.#others} tried)`;
  }

  async solve(state: State): Promise<ReadonlyMap<string, Choice>> {
    let { chosen, pending, wanted } = state;
    for (;;) {
      if (wanted.length > MAX_REQUIREMENTS || chosen.size > MAX_PACKAGES) {
        throw new CommandRefused(
          `More than ${MAX_PACKAGES} packages or ${MAX_REQUIREMENTS} requirements: ask for less`,
        );
      }
      const [next, ...rest] = pending;
      if (next === undefined) return chosen;
      const choice = chosen.get(next.requirement.name);
      if (choice === undefined) return await this.#choose({ chosen, pending, wanted }, next);
      this.#check(next, choice, wanted);
      const extras = next.requirement.extras.filter((extra) => !choice.extras.includes(extra));
      if (extras.length === 0) {
        pending = rest;
        continue;
      }
      const widened = { ...choice, extras: [...choice.extras, ...extras] };
      const more = wantedBy(widened, extras);
      chosen = new Map(chosen).set(choice.candidate.name, widened);
      pending = [...rest, ...more];
      wanted = [...wanted, ...more];
    }
  }

  async #choose(state: State, next: Wanted): Promise<ReadonlyMap<string, Choice>> {
    const { name } = next.requirement;
    const about = state.wanted.filter(({ requirement }) => requirement.name === name);
    const specifiers = about.map(({ requirement }) => requirement.specifier);
    const owners = about.flatMap(({ by }) => by ?? []);
    const culprits = new Set(owners.map((owner) => owner.name));
    let last: Conflict | undefined;
    for await (const candidate of this.#catalog.candidates(name, specifiers, owners)) {
      if (last !== undefined) this.#others++;
      if (++this.#tries > MAX_TRIES) {
        throw new CommandRefused(
          `${this.explanation}\nGave up: name versions of some packages, such as ${name}==VERSION`,
        );
      }
      try {
        const choice = { candidate, needs: await this.#needs(candidate), extras: [] };
        const more = wantedBy(choice, undefined);
        return await this.solve({
          chosen: new Map(state.chosen).set(name, choice),
          pending: [...state.pending, ...more],
          wanted: [...state.wanted, ...more],
        });
      } catch (thrown) {
        if (!(thrown instanceof Conflict)) throw thrown;
        if (!thrown.culprits.has(name)) throw thrown;
        last = thrown;
        for (const culprit of thrown.culprits) if (culprit !== name) culprits.add(culprit);
      }
    }
    if (last !== undefined) throw new Conflict(last.message, culprits);
    const reason = await this.#catalog.explain(name, specifiers);
    throw this.#conflict(`${reason}${neededBy(about)}`, culprits);
  }

  async #needs(candidate: Candidate): Promise<Needs> {
    try {
      return await this.#catalog.needs(candidate);
    } catch (thrown) {
      if (!(thrown instanceof MetadataError)) throw thrown;
      throw this.#conflict(
        `${candidate.wheel.file} cannot be used: ${thrown.message}`,
        new Set([candidate.name]),
      );
    }
  }

  #check({ requirement, by }: Wanted, { candidate }: Choice, wanted: readonly Wanted[]): void {
    if (isWithin(candidate.version, requirement.specifier)) return;
    const others = wanted.filter((other) => other.requirement.name === candidate.name);
    throw this.#conflict(
      `${ownerOf(by)} needs ${requirementText(requirement)}, ` +
        `which ${candidate.name} ${candidate.version} is not${neededBy(others)}`,
      new Set([candidate.name, ...others.flatMap((other) => other.by?.name ?? [])]),
    );
  }

  #conflict(message: string, culprits: ReadonlySet<string>): Conflict {
    this.#first ??= message;
    return new Conflict(message, culprits);
  }
}

/** The requirements of a choice for some extras, or without extras if undefined. */
function wantedBy({ candidate, needs }: Choice, extras: readonly string[] | undefined): Wanted[] {
  const texts = extras === undefined
    ? needs.requires
    : extras.flatMap((extra) => needs.extras[extra] ?? []);
  return texts.flatMap((text) => {
    const requirement = parseRequirement(text);
    return requirement === undefined ? [] : [{ requirement, by: candidate }];
  });
}

function ownerOf(by: Candidate | undefined): string {
  return by === undefined ? "You" : `${by.name} ${by.version}`;
}

/** A line that says what needs a package. */
function neededBy(wanted: readonly Wanted[]): string {
  const owners = wanted.map(({ requirement, by }) => {
    return by === undefined
      ? `${requirementText(requirement)} was asked for`
      : `${ownerOf(by)} needs ${requirementText(requirement)}`;
  });
  return owners.length === 0 ? "" : `\n  ${[...new Set(owners)].slice(0, 8).join("\n  ")}`;
}
