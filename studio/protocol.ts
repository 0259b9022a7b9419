// What Studio's page asks its server, and what the server answers. Both sides import this file and nothing of each
// other.
// Every call is `POST /api/NAME` with a body in JSON and the header `x-studio-token`. A call that is wrong answers 400
// with a `Refusal`; one without the token, from another origin or under another host name answers 403 with a `Refusal`.
import type { ProjectFinding } from '../project/check/finding';
import type { Example } from '../project/examples/examples';
import type { TaxonomyEntry } from '../project/taxonomies/published';
import type { EngineEvent } from '../src/engine/engineEvent';
import type { Definition, Id } from '../src/engine/language/language';
import type { ExperimentGroup } from '../src/model/cohort';

export type { Example } from '../project/examples/examples';
export type { TaxonomyEntry } from '../project/taxonomies/published';

/** Why the server has not done what it was asked. */
export interface Refusal {
  /** For people, in one sentence. */
  readonly message: string;
}

/** `project`: what the file of the definition has now. The body is `{}`. */
export interface StudioProject {
  /** Path of the file, from the folder in which Studio runs. */
  readonly file: string;
  /** Names the content of the file. An edit names the version that it was made from. */
  readonly version: string;
  /** The cohorts in the order of the file. Empty while the file cannot be read. */
  readonly cohorts: readonly StudioCohort[];
  /** What `check` finds in the whole file. */
  readonly findings: readonly ProjectFinding[];
  /** By cohort, its code, where it has one. */
  readonly codes: Readonly<Record<Id, string>>;
  /** Whether there are visits to count (`--data`, `--nats`), and where they come from. */
  readonly visits: string | undefined;
  /** The definition that is taken as published, in words; undefined where nothing was published yet. */
  readonly published: string | undefined;
  /** What `publish` with `back` would put back, in words; undefined where there is nothing to go back to. */
  readonly previous: string | undefined;
}

export interface StudioCohort {
  readonly definition: Definition;
  /** Line of the file at which the cohort begins, counted from 1; undefined for one that code makes elsewhere. */
  readonly line: number | undefined;
  /** Why the cohort cannot be changed here, in a sentence; undefined where it can. */
  readonly fixed: string | undefined;
  readonly examples: readonly Example[];
  readonly buyers: BuyersEntries;
}

/** What buyers are told of visitors in a cohort, in terms of public taxonomies. */
export interface BuyersEntries {
  /** What the file has under `taxonomies`, in its order. */
  readonly entries: readonly TaxonomyEntry[];
  /** What the file has under `pps`, the older form, which Studio does not write. */
  readonly older: readonly TaxonomyEntry[];
  /** Why the entries cannot be changed here, in a sentence; undefined where they can. */
  readonly fixed: string | undefined;
}

/** `save`: changes one cohort in the file, adds it, or removes it. Answers the project, or 409 with `Conflict`. */
export interface Save {
  /** The version that the edit was made from. */
  readonly version: string;
  /** The cohort that is replaced or removed; undefined where one is added. */
  readonly id: Id | undefined;
  /** The cohort as it shall be; undefined where it is removed. */
  readonly definition: Definition | undefined;
}

/** The file was changed meanwhile. Nothing was written. */
export interface Conflict extends Refusal {
  readonly project: StudioProject;
}

/** `examples`: replaces the examples of a cohort. Answers the project. */
export interface SaveExamples {
  readonly id: Id;
  readonly examples: readonly Example[];
}

/**
 * `entry`: gives a cohort an entry of a taxonomy, or takes it away. What is so already stays as it is. Answers the
 * project, or 409 with `Conflict`.
 */
export interface SetEntry {
  readonly id: Id;
  readonly entry: TaxonomyEntry;
  readonly isWanted: boolean;
}

/** `check`: what would be found if this cohort stood in the file, and what it would cost. */
export interface Check {
  readonly id: Id | undefined;
  readonly definition: unknown;
}
export interface Checked {
  /** Findings of this cohort alone. Their paths begin at the cohort: `q/where`, or empty. */
  readonly findings: readonly ProjectFinding[];
  /** Undefined while the definition cannot be read. */
  readonly cost: Cost | undefined;
}
export interface Cost {
  /** By how much the file of queries grows, in bytes, and in bytes once it is compressed. */
  readonly bytes: number;
  readonly gzip: number;
  /** Time that the cohort takes of an event of its kind, in µs, on this machine; undefined without visits. */
  readonly eventUs: number | undefined;
}

/** `vocabulary`: the events that were recorded, for completions. Empty while the visits are being read. */
export interface Vocabulary {
  readonly events: readonly SeenEvent[];
}
export interface SeenEvent {
  readonly name: string;
  readonly count: number;
  readonly properties: readonly SeenProperty[];
}
export interface SeenProperty {
  /** Names with dots between them; lists on the way are left out, as in the language. */
  readonly path: string;
  readonly types: readonly ('string' | 'number' | 'boolean' | 'list' | 'object')[];
  readonly count: number;
  /** Frequent values, the most frequent first, at most 20. */
  readonly values: readonly (string | number | boolean)[];
}

/** `size`: how many visitors a definition finds. Answers lines of JSON, each a `SizeLine`, the estimate first. */
export interface Size {
  readonly definition: Definition;
}
export type SizeLine =
  | ({ readonly type: 'estimate'; readonly error: number } & Sized)
  | { readonly type: 'progress'; readonly events: number; readonly of: number }
  | ({ readonly type: 'sized'; readonly ms: number } & Sized)
  | ({ readonly type: 'refused' } & Refusal);
export interface Sized {
  /** Visitors that were looked at, and those who are in the cohort at the end of the visits. */
  readonly visitors: number;
  readonly members: number;
  /**
   * By day (`2026-11-24`, UTC): visitors with events that day, and visitors who were in the cohort at some moment of
   * it. Of an estimate the numbers are scaled to all visitors, and `error` is half the width of the 95 % interval of
   * `members`.
   */
  readonly days: readonly { readonly day: string; readonly visitors: number; readonly members: number }[];
  /**
   * Other cohorts with members in common at the end, the largest overlap first; undefined while they are not counted.
   * The size then comes once more.
   */
  readonly overlaps: readonly { readonly id: Id; readonly members: number; readonly both: number }[] | undefined;
  /** Both groups of the file's experiment; undefined where none is about the cohort. */
  readonly experiment: ExperimentSizes | undefined;
}
/** Visitors and members of each group, as the file's `controlGroup` divides the visitors by their user ids. */
export interface ExperimentSizes extends Readonly<
  Record<ExperimentGroup, { readonly visitors: number; readonly members: number }>
> {
  /** How many of a hundred visitors the file puts into the control group. */
  readonly percent: number;
  /** Visitors in no group, because the visits do not tell their user ids. */
  readonly unknown: number;
}

/** `find`: visitors of the visits, by how they stand to a definition. */
export interface Find {
  readonly definition: Definition;
  /** `near`: not in it, and as near as possible to it: they just miss it. */
  readonly who: 'members' | 'near' | 'others';
  /** At most so many; from 1 to 100. */
  readonly limit: number;
}
export interface Found {
  /** The moment at which the visitors stand so: the end of the visits, in ms since 1970. */
  readonly at: number;
  readonly visitors: readonly FoundVisitor[];
}
export interface FoundVisitor {
  readonly id: string;
  readonly events: number;
  readonly from: number;
  readonly to: number;
  /** For `near`: what is missing, in words, such as `2 of 3 Pageview`. */
  readonly missing: string | undefined;
}

/** `visitor`: the events of a visitor that was found, oldest first. The body is `{ id }`. */
export interface Visitor {
  readonly events: readonly EngineEvent[];
}

/**
 * `compare`: what the file changes against what is published. Without visits, `members` of the changes are undefined.
 */
export interface Comparison {
  readonly changes: readonly Change[];
  /** Visitors of the visits. */
  readonly visitors: number | undefined;
}
export interface Change {
  readonly id: Id;
  readonly what: 'added' | 'removed' | 'meaning' | 'renamed' | 'activation added' | 'activation removed';
  /** The name, or the activation, code or entry of a taxonomy that comes or goes. */
  readonly detail: string;
  /** Visitors who are in it before and after, and those who come and go. */
  readonly members:
    { readonly before: number; readonly after: number; readonly entered: number; readonly left: number } | undefined;
}

/**
 * `publish`: builds the files. `dryRun`: only says which. `back`: puts the files and the definition of the last
 * publication back.
 */
export interface Publish {
  readonly step: 'dryRun' | 'publish' | 'back';
}
export interface Published {
  /** The files in the order of their upload. */
  readonly files: readonly { readonly file: string; readonly contentType: string; readonly cacheControl: string }[];
}

// `GET /api/changes?token=…`: a stream of server-sent events, `project` each time the answer to `project` has changed.
/** The path of the stream of changes. */
export const changesPath = '/api/changes';
