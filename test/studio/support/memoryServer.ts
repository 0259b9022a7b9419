import { defer, from, type Observable, Subject, throwError } from 'rxjs';

import { withRead } from '../../../project/withRead';
import { DecodeError, readAs } from '../../../src/codecs/codecs';
import type { Definition } from '../../../src/engine/language/language';
import { DefinitionCodec } from '../../../src/engine/language/languageCodec';
import { visitorOf } from '../../../studio/page/play/generatedVisitor';
import { explainAt } from '../../../studio/page/play/playQuery';
import { Refused, type Server } from '../../../studio/page/state/ask';
import type {
  BuyersEntries,
  Check,
  Find,
  Save,
  SaveExamples,
  SetEntry,
  SizeLine,
  StudioCohort,
  StudioProject,
} from '../../../studio/protocol';
import { entriesAfter } from '../../../studio/server/buyersEntries';

/** A server of Studio in memory: one file, and the visits of generated readers. The page's tests talk to it. */
export interface MemoryServer extends Server {
  /** The file is changed outside. */
  readonly changeOutside: (change: (definitions: readonly Definition[]) => readonly Definition[]) => void;
  /** The server has read its visits. */
  readonly readVisits: () => void;
  readonly project: () => StudioProject;
  /** Names of the calls so far. */
  readonly asked: string[];
}

const nothingTold: BuyersEntries = { entries: [], older: [], fixed: undefined };
const cohortOf = (definition: Definition, line = 3): StudioCohort => ({
  definition,
  line,
  fixed: undefined,
  examples: [],
  buyers: nothingTold,
});

const readers = Array.from({ length: 30 }, (_, i) => ({
  id: `reader-${i + 1}`,
  events: visitorOf(i + 1, i % 2 === 0 ? 'anything' : 'Markets'),
}));
const end = Math.max(...readers.map(({ events }) => events.at(-1)?.time ?? 0));

export const memoryServer = (definitions: readonly Definition[]): MemoryServer => {
  const changes$ = new Subject<unknown>();
  let project: StudioProject = {
    file: 'project.json',
    version: '1',
    cohorts: definitions.map((definition, i) => cohortOf(definition, 3 + i)),
    findings: [],
    codes: {},
    visits: '30 generated readers',
    published: undefined,
    previous: undefined,
  };
  const put = (change: Partial<StudioProject>): StudioProject => {
    project = { ...project, version: String(Number(project.version) + 1), ...change };
    changes$.next(project);
    return project;
  };
  const all = (): readonly Definition[] => project.cohorts.map(({ definition }) => definition);
  const isMember = (definition: Definition, events: (typeof readers)[number]['events']): boolean =>
    explainAt(definition.id, withRead(definition, all()), events, end)?.result === true;
  const save = ({ version, id, definition }: Save): StudioProject => {
    if (version !== project.version) throw new Refused(409, { message: 'The file was changed meanwhile.', project });
    const cohort = definition && cohortOf(definition);
    const cohorts =
      id === undefined
        ? [...project.cohorts, ...(cohort ? [cohort] : [])]
        : project.cohorts.flatMap((each) =>
            each.definition.id !== id ? [each] : cohort ? [{ ...each, definition: cohort.definition }] : [],
          );
    return put({ cohorts });
  };
  const asked: string[] = [];
  const answers: Readonly<Record<string, (body: never) => unknown>> = {
    project: () => project,
    save,
    examples: ({ id, examples }: SaveExamples) =>
      put({
        cohorts: project.cohorts.map((each) => (each.definition.id === id ? { ...each, examples } : each)),
      }),
    entry: ({ id, entry, isWanted }: SetEntry) =>
      put({
        cohorts: project.cohorts.map((each) =>
          each.definition.id === id
            ? { ...each, buyers: { ...nothingTold, entries: entriesAfter(each.buyers.entries, { entry, isWanted }) } }
            : each,
        ),
      }),
    check: ({ definition }: Check) => {
      const read = readAs(DefinitionCodec, definition);
      return {
        findings:
          read instanceof DecodeError
            ? read.faults.map(({ path, expected }) => ({
                path,
                severity: 'error',
                message: `expected ${expected}`,
                fix: '',
              }))
            : [],
        cost: read instanceof DecodeError ? undefined : { bytes: 120, gzip: 60, eventUs: 1.5 },
      };
    },
    vocabulary: () => ({
      events: [
        {
          name: 'Pageview',
          count: 300,
          properties: [
            { path: 'article.section', types: ['string'], count: 300, values: ['Markets', 'Money', 'Life'] },
            { path: 'client.url', types: ['string'], count: 300, values: [] },
          ],
        },
        { name: 'PageviewEngagement', count: 900, properties: [] },
      ],
    }),
    find: ({ definition, who, limit }: Find) => ({
      visitors: readers
        .filter(({ events }) => isMember(definition, events) === (who === 'members'))
        .slice(0, limit)
        .map(({ id, events }) => ({
          id,
          events: events.length,
          from: events[0]?.time ?? 0,
          to: events.at(-1)?.time ?? 0,
          missing: who === 'near' ? '2 of 3 Pageview' : undefined,
        })),
    }),
    visitor: ({ id }: { readonly id: string }) => ({
      events: readers.find((reader) => reader.id === id)?.events ?? [],
    }),
    compare: () => ({
      changes: all()
        .slice(0, 1)
        .map(({ id, name }) => ({
          id,
          what: 'added',
          detail: name ?? '',
          members: { before: 0, after: 7, entered: 7, left: 0 },
        })),
      visitors: 30,
    }),
    publish: () => ({
      files: [{ file: 'workspace-web.js', contentType: 'text/javascript', cacheControl: 'max-age=300' }],
    }),
  };
  return {
    asked,
    project: () => project,
    changes$,
    readVisits: () => {
      project = { ...project, visits: '31 generated readers' };
      changes$.next(project);
    },
    changeOutside: (change) =>
      void put({
        cohorts: change(all()).map((definition) => cohortOf(definition)),
      }),
    ask: (name, body) =>
      defer((): Observable<never> => {
        asked.push(name);
        try {
          return from([JSON.parse(JSON.stringify(answers[name]?.(body as never))) as never]);
        } catch (error) {
          return throwError(() => error as Error);
        }
      }),
    size: ({ definition }): Observable<SizeLine> => {
      const members = readers.filter(({ events }) => isMember(definition, events)).length;
      const days = Array.from({ length: 28 }, (_, i) => ({
        day: new Date(Date.UTC(2026, 8, 7 + i)).toISOString().slice(0, 10),
        visitors: 10 + (i % 7),
        members: (i * 3) % 9,
      }));
      const sized = {
        visitors: 30,
        members,
        days,
        overlaps: all()
          .slice(0, 5)
          .map(({ id }, i) => ({ id, members: 10 + i, both: 5 - i })),
        experiment: undefined,
      };
      const lines: readonly SizeLine[] = [
        { type: 'estimate', error: 3, ...sized },
        { type: 'progress', events: 1000, of: 4000 },
        { type: 'sized', ms: 1200, ...sized },
      ];
      return from(lines);
    },
  };
};
