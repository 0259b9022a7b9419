import { createHash } from 'node:crypto';
import { existsSync, type FSWatcher, readFileSync, realpathSync, statSync, watch } from 'node:fs';
import { chmod, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { dequal } from 'dequal';

import type { ProjectFinding } from '../../project/check/finding';
import { wrong } from '../../project/check/finding';
import { type BuildProject, type CheckedProject, checkProject } from '../../project/checkProject';
import { examplesFolder } from '../../project/examples/examples';
import { readJson } from '../../project/json/readJson';
import { loadModule } from '../../project/loadProject';
import { ProjectError } from '../../project/readProject';
import { DecodeError, isRecord, readAs } from '../../src/codecs/codecs';
import type { Definition, Id } from '../../src/engine/language/language';
import { DefinitionCodec } from '../../src/engine/language/languageCodec';
import { expandTable } from '../../src/engine/rules/expandRules';
import type { BuyersEntries, Save, SetEntry } from '../protocol';
import { entriesAfter, entriesIn, loadedTaxonomies, olderEntriesIn } from './buyersEntries';
import { changedEntries, entriesPlace } from './edit/changedEntries';
import { changedText, FixedCohort, type ReadSource, unreadable } from './edit/changedText';
import { jsonSource } from './edit/jsonSource';
import { moduleSource } from './edit/moduleSource';
import type { Source } from './edit/source';
import { Refused } from './refused';

/** Editors write a file in several steps. In ms. */
const quiet = 100;

/** What the file of a definition says at one moment. */
export interface FileState {
  readonly version: string;
  readonly text: string;
  /** The definition as it stands in the file, before any check; undefined where the file cannot be read. */
  readonly input: unknown;
  /** The entries under `queries` that are definitions, as they stand in the file. */
  readonly cohorts: readonly Definition[];
  /** The cohorts that the short rules of the file stand for. */
  readonly ruled: readonly Definition[];
  /** Undefined where a finding is an error. */
  readonly project: BuildProject | undefined;
  readonly findings: readonly ProjectFinding[];
}

/** The file of a definition: read, watched and changed on disk. */
export interface ProjectFile {
  /** The file as it is now. */
  readonly state: () => Promise<FileState>;
  /** What was last right of the file; undefined where nothing was. */
  readonly lastGood: () => FileState | undefined;
  /** Checks the definition with another one in the place of a cohort; of a new one where `id` is undefined. */
  readonly checkedWith: (id: Id | undefined, definition: unknown) => Promise<CheckedProject & { readonly at: number }>;
  /** Where a cohort stands, and why it cannot be changed. */
  readonly placeOf: (
    state: FileState,
    definition: Definition,
  ) => { readonly line: number | undefined; readonly fixed: string | undefined };
  /** What buyers are told of visitors in a cohort, and why that cannot be changed. */
  readonly buyersOf: (state: FileState, id: Id) => BuyersEntries;
  /** Changes one cohort. Throws `VersionConflict` where the file is of another version, and `Refused`. */
  readonly save: (save: Save) => Promise<void>;
  /** Gives a cohort an entry, or takes it away. Throws `VersionConflict` where the file changes meanwhile. */
  readonly setEntry: (order: SetEntry) => Promise<void>;
  /** Calls when the file, another source of its folder, or an example has changed on disk. Answers how to stop. */
  readonly onChange: (listener: () => void) => () => void;
  readonly close: () => void;
}

/** The file has another version than the one that an edit was made from. */
export class VersionConflict extends Error {
  override readonly name = 'VersionConflict';
}

const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Opens the file of a definition. `outside`: names of addons that are built in beside those of the list. */
export const openProjectFile = async (given: string, outside: readonly string[]): Promise<ProjectFile> => {
  const isJson = extname(given) === '.json';
  const read = await sourceReader(given, isJson);
  let current: FileState | undefined;
  let good: FileState | undefined;
  const listeners = new Set<() => void>();

  const reload = async (): Promise<FileState> => {
    const state = await readState(given, outside);
    current = state;
    if (state.project !== undefined) good = state;
    return state;
  };
  const state = oneAtATime(async (): Promise<FileState> => {
    const text = textOf(given);
    return current !== undefined && text !== undefined && current.text === text ? current : reload();
  });
  const watcher = watchSources(dirname(given), () => {
    // A module may have changed by what it imports.
    if (!isJson) current = undefined;
    for (const listener of listeners) listener();
  });
  /** Writes what an order makes of the present file, one order after another. */
  const write = oneAtATime(async (editOf: (before: FileState) => Edit): Promise<void> => {
    const before = await state();
    const { change, isDone } = editOf(before);
    let text: string;
    try {
      text = change();
    } catch (error) {
      if (error instanceof FixedCohort) throw new Refused(400, error.message);
      throw error;
    }
    if (text === before.text) return;
    await replaceFile(given, before, text, async (aside) => {
      if (!isDone(isJson ? (JSON.parse(text) as unknown) : await loadModule(aside)))
        throw new Refused(400, 'Code of the file would make something else of this change, so nothing was written.');
    });
    await reload();
  });

  return {
    state,
    save: (order) =>
      write((before) => {
        if (before.version !== order.version) throw new VersionConflict();
        const change = changeOf(before, order);
        return {
          change: () => changedText(before.text, read, change),
          isDone: (input) => dequal(queriesIn(input), wantedQueries(before, change)),
        };
      }),
    setEntry: (order) =>
      write(({ cohorts, ruled, input, text }) => {
        const { id } = order;
        if (![...cohorts, ...ruled].some((cohort) => cohort.id === id))
          throw new Refused(400, `The file has no cohort ${id}.`);
        const from = entriesIn(input, id);
        if (from === undefined) throw new Refused(400, noEntries);
        const to = entriesAfter(from, order);
        return {
          change: () => changedEntries(text, read, loadedTaxonomies(input), { id, to }),
          isDone: (changed) => dequal(entriesIn(changed, id), to),
        };
      }),
    lastGood: () => good,
    checkedWith: async (id, definition) => {
      const { input } = await state();
      const queries = [...(queriesIn(input) ?? [])];
      const found = queries.findIndex((query) => isRecord(query) && query['id'] === id);
      const at = id === undefined || found < 0 ? queries.length : found;
      queries[at] = definition;
      return { ...checkProject({ ...(isRecord(input) ? input : {}), queries }, outside), at };
    },
    placeOf: placesIn(read),
    buyersOf: (current, id) => {
      const { input } = current;
      const entries = entriesIn(input, id);
      return {
        entries: entries ?? [],
        older: olderEntriesIn(input, id),
        fixed: entries === undefined ? noEntries : whyFixed(read, current, id),
      };
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => watcher?.close(),
  };
};

/** Answers the same promise to those who ask meanwhile where there are no arguments; else runs one after the other. */
const oneAtATime = <Args extends readonly unknown[], Answer>(
  work: (...args: Args) => Promise<Answer>,
): ((...args: Args) => Promise<Answer>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const next = last.then(() => work(...args));
    last = next.catch(() => undefined);
    return next;
  };
};

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

/** Reading a module needs the compiler, which a definition in TypeScript does not need otherwise. */
const sourceReader = async (file: string, isJson: boolean): Promise<ReadSource> => {
  if (isJson) return jsonSource;
  const ts = await import('typescript').catch(() => undefined);
  if (ts === undefined)
    return () => {
      throw new FixedCohort('Changing a module needs the package typescript: npm install --save-dev typescript');
    };
  return (text) => moduleSource(ts.default, file, text);
};

const readState = async (file: string, outside: readonly string[]): Promise<FileState> => {
  const text = textOf(file);
  const nothing = { input: undefined, cohorts: [], ruled: [], project: undefined };
  if (text === undefined) {
    const said = wrong('the file cannot be read', 'put it back, or see that you may read it');
    return { version: '', text: '', ...nothing, findings: [{ path: '', ...said }] };
  }
  const version = versionOf(text);
  try {
    const { input, checked } = await readInput(file, text, outside);
    return {
      version,
      text,
      input,
      cohorts: (queriesIn(input) ?? []).filter(isDefinition),
      ruled: isRecord(input) && isRecord(input['rules']) ? expandTable(input['rules']).definitions : [],
      ...checked,
    };
  } catch (error) {
    if (error instanceof ProjectError) return { version, text, ...nothing, findings: error.findings };
    throw error;
  }
};

const readInput = async (
  file: string,
  text: string,
  outside: readonly string[],
): Promise<{ readonly input: unknown; readonly checked: CheckedProject }> => {
  if (extname(file) !== '.json') {
    const input = await loadModule(file);
    return { input, checked: checkProject(input, outside) };
  }
  const { value, faults, placed } = readJson(text);
  const { project, findings } =
    value === undefined ? { project: undefined, findings: [] } : checkProject(value, outside);
  const all = [...faults, ...findings].map(placed);
  return { input: value, checked: { project: faults.length > 0 ? undefined : project, findings: all } };
};

const queriesIn = (input: unknown): readonly unknown[] | undefined =>
  isRecord(input) && Array.isArray(input['queries']) ? (input['queries'] as readonly unknown[]) : undefined;

const isDefinition = (input: unknown): input is Definition => !(readAs(DefinitionCodec, input) instanceof DecodeError);

/** What an order changes of the file. `isDone`: whether the definition that the new text makes is the wanted one. */
interface Edit {
  /** The text after the change. Throws `FixedCohort`. */
  readonly change: () => string;
  readonly isDone: (input: unknown) => boolean;
}

interface Change {
  readonly from: (Definition & Readonly<Record<string, unknown>>) | undefined;
  readonly to: (Definition & Readonly<Record<string, unknown>>) | undefined;
}

const changeOf = (state: FileState, { id, definition }: Save): Change => {
  const { cohorts, ruled } = state;
  if (id !== undefined && ruled.some((rule) => rule.id === id)) throw new Refused(400, ruleReason);
  const from = cohorts.find((cohort) => cohort.id === id);
  if (id !== undefined && from === undefined) throw new Refused(400, `The file has no cohort ${id}.`);
  if (definition !== undefined) {
    const error = readAs(DefinitionCodec, definition);
    if (error instanceof DecodeError) throw new Refused(400, `The cohort is wrong: ${error.message}`);
    const isTaken = [...cohorts, ...ruled].some((cohort) => cohort !== from && cohort.id === definition.id);
    if (isTaken) throw new Refused(400, `Another cohort has the id ${definition.id}.`);
  }
  return { from: from as Change['from'], to: definition as Change['to'] };
};

/** Why the entries of a cohort cannot be changed where the check finds an error in them. */
const noEntries = 'What the file has for this cohort under `taxonomies` is no list of entries.';

/** Why a rule in short form cannot be changed. */
const ruleReason = 'The file has this cohort in the short form of `rules`, which Studio does not write.';

const wantedQueries = ({ input }: FileState, { from, to }: Change): readonly unknown[] => {
  const queries = queriesIn(input) ?? [];
  if (from === undefined) return [...queries, to];
  return queries.flatMap((query) => (query === from ? (to === undefined ? [] : [to]) : [query]));
};

/**
 * Puts a text in the place of the file's: written aside, looked at, and renamed, so that the file is never
 * half-written. Throws `VersionConflict` where the file has changed meanwhile.
 */
const replaceFile = async (
  given: string,
  before: FileState,
  text: string,
  verify: (aside: string) => Promise<void>,
): Promise<void> => {
  const file = realpathSync(given);
  // A module finds what it imports from there. The name keeps the watcher from telling of it.
  const aside = join(dirname(file), `.studio-${process.pid}-${basename(file)}`);
  try {
    await writeFile(aside, text, { flush: true, flag: 'wx' });
    await chmod(aside, statSync(file).mode & 0o7777);
    await verify(aside);
    const present = await readFile(file, 'utf8').catch(() => undefined);
    if (present !== before.text) throw new VersionConflict();
    await rename(aside, file);
  } finally {
    await rm(aside, { force: true });
  }
};

const placesIn =
  (read: ReadSource): ProjectFile['placeOf'] =>
  (state, definition) => {
    if (state.ruled.includes(definition)) return { line: lineOfKey(state.text, definition.id), fixed: ruleReason };
    const source = readableSource(read, state);
    if (typeof source === 'string') return { line: undefined, fixed: source };
    const place = source.placeOf(definition);
    const at = place.type === 'literal' ? place.literal.start : place.at;
    return {
      line: at === undefined ? undefined : state.text.slice(0, at).split('\n').length,
      fixed: place.type === 'literal' ? undefined : place.reason,
    };
  };

/** Why the entries of a cohort cannot be changed; undefined where they can. */
const whyFixed = (read: ReadSource, state: FileState, id: Id): string | undefined => {
  const source = readableSource(read, state);
  if (typeof source === 'string') return source;
  const place = entriesPlace(source, id, loadedTaxonomies(state.input));
  return place.type === 'fixed' ? place.reason : undefined;
};

/** The source of a state, or why it cannot be read, in a sentence. */
const readableSource = (read: ReadSource, state: FileState): Source | string => {
  try {
    return sourceOf(read, state) ?? unreadable;
  } catch (error) {
    if (error instanceof FixedCohort) return error.message;
    throw error;
  }
};

/** The source of a state is read once for all of its cohorts. */
const sources = new WeakMap<FileState, ReturnType<ReadSource>>();
const sourceOf = (read: ReadSource, state: FileState): ReturnType<ReadSource> => {
  if (!sources.has(state)) sources.set(state, read(state.text));
  return sources.get(state);
};

const lineOfKey = (text: string, key: string): number | undefined => {
  const at = text.search(new RegExp(`["']?${key.replace(/\W/g, '\\$&')}["']?\\s*:`));
  return at < 0 ? undefined : text.slice(0, at).split('\n').length;
};

const isSource = (name: string): boolean => /^[^.].*\.(?:[cm]?[jt]s|json)$/.test(name) && !/^package\b/.test(name);

/**
 * Watches the folder of a definition, and the examples in it, whose folder may come and go. The whole folder, because
 * some editors put a new file in the place of the old one.
 */
const watchSources = (folder: string, changed: () => void): Pick<FSWatcher, 'close'> | undefined => {
  if (!existsSync(folder)) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const tell = (): void => {
    clearTimeout(timer);
    timer = setTimeout(changed, quiet);
  };
  let examples: FSWatcher | undefined;
  const watchExamples = (): void => {
    examples?.close();
    try {
      examples = watch(join(folder, examplesFolder), (_, name) => name !== null && isSource(name) && tell());
      // It was removed.
      examples.on('error', () => undefined);
    } catch {
      examples = undefined;
    }
  };
  watchExamples();
  const sources = watch(folder, (_, name) => {
    if (name === examplesFolder) watchExamples();
    if (name === examplesFolder || (name !== null && isSource(name))) tell();
  });
  return {
    close: () => {
      clearTimeout(timer);
      examples?.close();
      sources.close();
    },
  };
};
