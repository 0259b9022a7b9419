import { dirname, relative } from 'node:path';

import { cohortSizes } from '../../project/cohortSize';
import { type Difference, differencesOf } from '../../project/differences';
import { exampleFindings, readExamples, writeExamples } from '../../project/examples/examples';
import type { BuildProject } from '../../project/readProject';
import { DecodeError, isRecord, readAs } from '../../src/codecs/codecs';
import { published as asPublished } from '../../src/engine/language/canonical';
import type { Bundle, Definition, Id } from '../../src/engine/language/language';
import { DefinitionCodec } from '../../src/engine/language/languageCodec';
import type { ControlGroup } from '../../src/model/project';
import type {
  Change,
  Check,
  Checked,
  Comparison,
  Find,
  Found,
  FoundVisitor,
  Publish,
  Published,
  Save,
  SaveExamples,
  SetEntry,
  SizeLine,
  StudioProject,
  Visitor,
  Vocabulary,
} from '../protocol';
import { unreadable } from './edit/changedText';
import type { FileState, ProjectFile } from './projectFile';
import type { Publications } from './publishing/publication';
import { Refused } from './refused';
import { dividedBy } from './sizing/groupCounts';
import { eventMicroseconds } from './sizing/player';
import type { Pool } from './sizing/pool';
import {
  bundleFor,
  type Membership,
  MembershipStore,
  membersOf,
  nearestOf,
  sizeLines,
  someOf,
  warm,
} from './sizing/sizes';
import { eventsOf, type EventTable, visitorsOf } from './visits/eventTable';
import type { Visits } from './visits/openVisits';
import { someEvents } from './visits/visitStore';
import { vocabularyOf } from './visits/vocabulary';

/** Events that are played to measure a cohort, and how long, in ms. */
const measuredEvents = 1000;
const measureMs = 5;
/** Counts that are kept. */
const maxKept = 8;

/** What the calls of the page do. */
export interface Studio {
  readonly project: () => Promise<StudioProject>;
  readonly save: (order: Save) => Promise<StudioProject>;
  readonly setEntry: (order: SetEntry) => Promise<StudioProject>;
  readonly saveExamples: (order: SaveExamples) => Promise<StudioProject>;
  readonly check: (order: Check) => Promise<Checked>;
  readonly vocabulary: () => Promise<Vocabulary>;
  readonly size: (definition: Definition, write: (line: SizeLine) => void, stop: AbortSignal) => Promise<void>;
  readonly find: (order: Find) => Promise<Found>;
  readonly visitor: (id: string) => Promise<Visitor>;
  readonly compare: () => Promise<Comparison>;
  readonly publish: (order: Publish) => Promise<Published>;
  /** Begins what the first count needs, once the visits are read. */
  readonly prepare: () => Promise<void>;
}

export interface StudioParts {
  readonly folder: string;
  readonly file: string;
  readonly projectFile: ProjectFile;
  readonly visits: Visits;
  readonly pool: Pool;
  readonly publications: Publications;
  /** Called once other files are published than before. */
  readonly onPublished: () => void;
}

export const studioOf = ({
  folder,
  file,
  projectFile,
  visits,
  pool,
  publications,
  onPublished,
}: StudioParts): Studio => {
  const beside = dirname(file);
  const memberships = new MembershipStore(pool);
  const single = new Kept<Membership>();
  const words = new Kept<Vocabulary>();

  const tableOrThrow = async (): Promise<EventTable> => {
    if (visits.said() === undefined)
      throw new Refused(400, 'There are no visits to count. Start Studio with --data FILE or --nats URL.');
    const fault = visits.fault();
    if (visits.present() === undefined && fault !== undefined)
      throw new Refused(400, `The visits cannot be read: ${fault}.`);
    const table = await visits.table();
    if (visitorsOf(table) === 0) throw new Refused(400, `The visits have no events (${visits.said() ?? ''}).`);
    return table;
  };
  const cohortsNow = async (): Promise<readonly Definition[]> => {
    const state = await projectFile.state();
    return [...state.cohorts, ...state.ruled];
  };
  /** The experiment of the file; of the file as it was where it is wrong at present. */
  const controlGroupNow = async (): Promise<ControlGroup | undefined> => {
    const { project: checked = projectFile.lastGood()?.project } = await projectFile.state();
    return checked?.page.controlGroup;
  };
  /** Without the cohort itself a definition reads those of the file. */
  const bundleOf = async (definition: Definition): Promise<Bundle> => bundleFor(definition, await cohortsNow());
  const fileMembers = async (table: EventTable): Promise<ReadonlyMap<Id, Membership>> =>
    memberships.of(table, await cohortsNow());
  const project = async (): Promise<StudioProject> => projectAnswer(await projectFile.state());
  const projectAnswer = (state: FileState): StudioProject => {
    // While the file cannot be read, the last cohorts stay in sight.
    const shown = state.input === undefined ? projectFile.lastGood() : state;
    const definitions = shown === undefined ? [] : [...shown.cohorts, ...shown.ruled];
    const kept = readExamples(beside, new Set(definitions.map(({ id }) => id)));
    return {
      file: relative(folder, file),
      version: state.version,
      findings: [
        ...state.findings,
        ...kept.findings,
        ...(state.project === undefined ? [] : exampleFindings(state.project, kept)),
      ],
      cohorts: definitions.map((definition) => ({
        definition,
        ...(shown === state ? projectFile.placeOf(state, definition) : { line: undefined, fixed: unreadable }),
        examples: kept.byId.get(definition.id) ?? [],
        buyers: {
          ...projectFile.buyersOf(shown ?? state, definition.id),
          ...(shown !== state && { fixed: unreadable }),
        },
      })),
      codes: codesIn(shown?.input),
      visits: visits.said(),
      published: publications.said(),
      previous: publications.previous(),
    };
  };

  return {
    project,
    save: async (order) => {
      await projectFile.save(order);
      return project();
    },
    setEntry: async (order) => {
      await projectFile.setEntry(order);
      return project();
    },
    saveExamples: async ({ id, examples }) => {
      if (!(await cohortsNow()).some((cohort) => cohort.id === id))
        throw new Refused(400, `The file has no cohort ${id}.`);
      writeExamples(beside, id, examples);
      return project();
    },
    check: async ({ id, definition }) => {
      const { findings, project: checked, at } = await projectFile.checkedWith(id, definition);
      const ownId = isRecord(definition) && typeof definition['id'] === 'string' ? definition['id'] : undefined;
      const roots = [`queries/${at}`, ...(ownId === undefined ? [] : [`queries/${ownId}`])];
      const own = findings.flatMap((finding) => {
        const root = roots.find((each) => finding.path === each || finding.path.startsWith(`${each}/`));
        return root === undefined ? [] : [{ ...finding, path: finding.path.slice(root.length + 1) }];
      });
      const read = readAs(DefinitionCodec, definition);
      if (read instanceof DecodeError) return { findings: own, cost: undefined };
      const others = (checked?.bundle.queries ?? (await cohortsNow()).map(shippedOf)).filter(
        (query) => query.id !== read.id && query.id !== id,
      );
      const [size] = cohortSizes([...others, shippedOf(read)], [others.length]);
      const table = visits.present();
      const eventUs = table && eventMicroseconds(await bundleOf(read), sampleOf(table), measureMs);
      return { findings: own, cost: { ...size!, eventUs } };
    },
    vocabulary: async () => {
      // The page does not wait for visits. It asks again once they are read.
      const table = visits.present();
      if (table === undefined) return { events: [] };
      return words.get(table, '', () => Promise.resolve(vocabularyOf(table)));
    },
    size: async (definition, write, stop) => {
      const table = await tableOrThrow();
      const { id } = definition;
      const order = {
        table,
        bundle: await bundleOf(definition),
        id,
        others: () => fileMembers(table),
        divided: dividedBy(await controlGroupNow(), id, (visitor) => visits.store.idOf(visitor)),
      };
      const found = await sizeLines(pool, order, write, stop);
      void single.get(table, JSON.stringify(order.bundle), () => Promise.resolve(found));
    },
    find: async ({ definition, who, limit }) => {
      const table = await tableOrThrow();
      const bundle = await bundleOf(definition);
      const { id } = definition;
      const own = await single.get(table, JSON.stringify(bundle), () => membersOf(pool, table, bundle, id));
      const some = someOf(table, own, who === 'members');
      if (who !== 'near')
        return {
          at: table.to,
          visitors: [...some.subarray(0, limit)].map((visitor) => foundOf(visits, table, visitor, undefined)),
        };
      const nearest = await nearestOf(pool, { table, bundle, id }, some, limit);
      return {
        at: table.to,
        visitors: nearest.map(({ visitor, missing }) => foundOf(visits, table, visitor, missing)),
      };
    },
    visitor: async (id) => {
      const table = await tableOrThrow();
      const visitor = visits.store.numberOf(id);
      if (visitor === undefined || visitor >= visitorsOf(table)) throw new Refused(400, 'There is no such visitor.');
      return { events: eventsOf(table, visitor) };
    },
    compare: async () => {
      const { project: after } = await projectFile.state();
      if (after === undefined) throw new Refused(400, 'The definition is wrong, so it cannot be compared.');
      const before = (await publications.published()) ?? withoutCohorts(after);
      const table = visits.present();
      if (table === undefined) return { changes: changesOf(differencesOf(before, after)), visitors: undefined };
      const [was, is] = await Promise.all([before, after].map(({ definitions }) => memberships.of(table, definitions)));
      return comparisonOf(differencesOf(before, after), was!, is!, visitorsOf(table));
    },
    prepare: async () => {
      if (visits.said() === undefined) return;
      const table = await visits.table();
      if (visitorsOf(table) > 0) await warm(pool, table);
    },
    publish: async ({ step }) => {
      if (step === 'dryRun') return publications.dryRun(await projectFile.state());
      const done = step === 'back' ? publications.back() : await publications.publish(await projectFile.state());
      onPublished();
      return done;
    },
  };
};

/** Answers that are kept for a table and a key, a few at a time. Those that fail are not kept. */
class Kept<Answer> {
  private readonly answers: { readonly table: EventTable; readonly key: string; readonly answer: Promise<Answer> }[] =
    [];

  get(table: EventTable, key: string, make: () => Promise<Answer>): Promise<Answer> {
    const known = this.answers.find((each) => each.table === table && each.key === key);
    if (known !== undefined) return known.answer;
    const made = { table, key, answer: make() };
    this.answers.push(made);
    if (this.answers.length > maxKept) this.answers.shift();
    made.answer.catch(() => this.answers.splice(this.answers.indexOf(made) >>> 0, 1));
    return made.answer;
  }
}

const samples = new WeakMap<EventTable, ReturnType<typeof someEvents>>();
const sampleOf = (table: EventTable): ReturnType<typeof someEvents> => {
  const known = samples.get(table) ?? someEvents(table, measuredEvents);
  samples.set(table, known);
  return known;
};

/** A query as the build ships it. */
const shippedOf = ({ id, q, sub, activations, canonical }: Definition): Definition =>
  asPublished({ id, q, ...(sub && { sub }), ...(activations && { activations }), ...(canonical && { canonical }) });

const codesIn = (input: unknown): StudioProject['codes'] =>
  isRecord(input) && isRecord(input['cohortCodes'])
    ? Object.fromEntries(Object.entries(input['cohortCodes']).map(([id, code]) => [id, String(code)]))
    : {};

const foundOf = (visits: Visits, table: EventTable, visitor: number, missing: string | undefined): FoundVisitor => {
  const own = table.order.subarray(table.starts[visitor], table.starts[visitor + 1]);
  return {
    id: visits.store.idOf(visitor),
    events: own.length,
    from: table.time[own[0]!]!,
    to: table.time[own.at(-1)!]!,
    missing,
  };
};

/** What a first publication is compared with. */
const withoutCohorts = (project: BuildProject): BuildProject => ({
  ...project,
  definitions: [],
  bundle: { ...project.bundle, queries: [] },
  page: { ...project.page, activations: {}, platformCohorts: {}, cohortCodes: {}, addons: {} },
});

const changesOf = (
  differences: readonly Difference[],
  membersFor: (id: Id) => Change['members'] = () => undefined,
): readonly Change[] =>
  differences.map(({ what, cohort: id, detail }) => ({ id, what, detail, members: membersFor(id) }));

const comparisonOf = (
  differences: readonly Difference[],
  was: ReadonlyMap<Id, Membership>,
  is: ReadonlyMap<Id, Membership>,
  visitors: number,
): Comparison => {
  const membersFor = (id: Id): NonNullable<Change['members']> => {
    const [old, present] = [was.get(id), is.get(id)];
    const counts = { before: 0, after: 0, entered: 0, left: 0 };
    for (let i = 0; i < visitors; i++) {
      const [before, after] = [old?.[i] ?? 0, present?.[i] ?? 0];
      counts.before += before;
      counts.after += after;
      counts.entered += after & ~before;
      counts.left += before & ~after;
    }
    return counts;
  };
  const meant = new Set(differences.filter(({ what }) => what !== 'renamed').map(({ cohort }) => cohort));
  const others = [...is.keys()].flatMap((id): readonly Change[] => {
    if (meant.has(id) || !was.has(id)) return [];
    const found = membersFor(id);
    return found.entered + found.left === 0
      ? []
      : [{ id, what: 'meaning', detail: 'a cohort that it reads has changed', members: found }];
  });
  return { changes: [...changesOf(differences, membersFor), ...others], visitors };
};
