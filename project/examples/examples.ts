import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';

import {
  AnyBoolean,
  AnyNumber,
  AnyRecord,
  AnyString,
  DecodeError,
  isRecord,
  list,
  object,
  readAs,
  shape,
  value,
} from '../../src/codecs/codecs';
import type { EngineEvent } from '../../src/engine/engineEvent';
import type { Id } from '../../src/engine/language/language';
import { doubtful, type ProjectFinding, wrong } from '../check/finding';
import type { BuildProject } from '../checkProject';
import { membersAfter } from '../visits/visits';
import { writeWhole } from '../writeWhole';

/** A visitor that is kept with a cohort as a test of it. `check` runs it. */
export interface Example {
  readonly name: string;
  /** The moment at which the visitor is looked at, in ms since 1970; not before the last event. */
  readonly at: number;
  /** The membership that is expected. */
  readonly isMember: boolean;
  readonly events: readonly EngineEvent[];
}

const PeriodId = value<string | null>('string or null', (input) => input === null || typeof input === 'string');
/** An event as it is kept and as the engine takes it. */
export const EventCodec = object<EngineEvent>(
  'an event',
  shape({ name: AnyString, time: AnyNumber, properties: AnyRecord }, { session_id: PeriodId, view_id: PeriodId }),
);
/** The examples of one cohort. */
export const ExamplesCodec = list<Example>(
  object(
    'an example',
    shape({ name: AnyString, at: AnyNumber, isMember: AnyBoolean, events: list(EventCodec) }, {}, ({ at, events }) =>
      (events as readonly EngineEvent[]).some(({ time }) => time > (at as number))
        ? 'a moment that is not before the last event'
        : null,
    ),
  ),
);

/** The folder of examples, beside the file of the definition. */
export const examplesFolder = 'examples';

/** The name of a cohort's file. What a file name may not have stands there as the hexadecimal number of its byte. */
export const exampleFileName = (id: Id): string =>
  `${[...Buffer.from(id)].map((byte) => (/[\w-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : hexOf(byte))).join('')}.json`;

const hexOf = (byte: number): string => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** The examples of all cohorts, and what is wrong with their files. */
export interface KeptExamples {
  readonly byId: ReadonlyMap<Id, readonly Example[]>;
  readonly findings: readonly ProjectFinding[];
}

/** Reads the examples beside a definition. `ids`: the cohorts that the definition has. */
export const readExamples = (folder: string, ids: ReadonlySet<Id>): KeptExamples => {
  const path = resolve(folder, examplesFolder);
  const byId = new Map<Id, readonly Example[]>();
  const findings: ProjectFinding[] = [];
  const names = existsSync(path) ? readdirSync(path).filter((name) => name.endsWith('.json')) : [];
  for (const name of names.sort()) {
    const id = idOf(name);
    const place = `${examplesFolder}/${id ?? name}`;
    if (id === undefined || !ids.has(id)) {
      const said = doubtful('no cohort has this id, so these examples test nothing', 'rename the file, or remove it');
      findings.push({ path: place, ...said });
      continue;
    }
    const examples = parsed(resolve(path, name));
    if (examples instanceof DecodeError)
      findings.push(
        ...examples.faults.map((fault) => ({
          path: fault.path === '' ? place : `${place}/${fault.path}`,
          ...wrong(`expected ${fault.expected}`, ''),
        })),
      );
    else byId.set(id, examples);
  }
  return { byId, findings };
};

const idOf = (name: string): Id | undefined => {
  try {
    return decodeURIComponent(name.slice(0, -'.json'.length));
  } catch {
    return undefined;
  }
};

const parsed = (file: string): readonly Example[] | DecodeError => {
  try {
    return readAs(ExamplesCodec, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return new DecodeError([{ path: '', expected: 'a list of examples in JSON' }]);
  }
};

/** Writes the examples of a cohort; without any, the file is removed. The same examples give the same bytes. */
export const writeExamples = (folder: string, id: Id, examples: readonly Example[]): void => {
  const file = resolve(folder, examplesFolder, exampleFileName(id));
  if (examples.length === 0) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(resolve(folder, examplesFolder), { recursive: true });
  writeWhole(file, `${JSON.stringify(examples.map(ordered), null, 2)}\n`);
};

const ordered = ({ name, at, isMember, events }: Example): unknown => ({
  name,
  at,
  isMember,
  events: events.map(({ name: event, time, session_id, view_id, properties }) => ({
    name: event,
    time,
    ...(session_id === undefined ? {} : { session_id }),
    ...(view_id === undefined ? {} : { view_id }),
    properties: sorted(properties),
  })),
});

const sorted = (input: unknown): unknown => {
  if (Array.isArray(input)) return input.map(sorted);
  if (!isRecord(input)) return input;
  return Object.fromEntries(
    Object.entries(input)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
};

/** Whether the visitor of an example is in the cohort at its moment. Cohorts that read other data hold for nobody. */
export const holdsFor = ({ bundle }: Pick<BuildProject, 'bundle'>, id: Id, { events, at }: Example): boolean =>
  membersAfter(
    [...events].sort((a, b) => a.time - b.time),
    bundle,
    at,
  ).includes(id);

/** The examples that do not hold, each at `examples/ID/NAME`. */
export const exampleFindings = (project: BuildProject, { byId }: KeptExamples): readonly ProjectFinding[] =>
  [...byId].flatMap(([id, examples]) =>
    examples.flatMap((example) =>
      holdsFor(project, id, example) === example.isMember
        ? []
        : [
            {
              path: `${examplesFolder}/${id}/${example.name}`,
              ...wrong(
                `the visitor is ${example.isMember ? 'not ' : ''}in the cohort at ${new Date(example.at).toISOString()}, and the example expects the opposite`,
                'change the condition, or the example where it is the example that is wrong',
              ),
            },
          ],
    ),
  );
