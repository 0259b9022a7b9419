import { dequal } from 'dequal';
import {
  BehaviorSubject,
  catchError,
  defer,
  distinctUntilChanged,
  EMPTY,
  finalize,
  map,
  merge,
  type Observable,
  skip,
  switchMap,
  tap,
  throwError,
} from 'rxjs';

import { isRecord } from '../../../src/codecs/codecs';
import type { Definition } from '../../../src/engine/language/language';
import type { Example, SetEntry, StudioProject, Vocabulary } from '../../protocol';
import { prettyJson } from '../form/prettyJson';
import { Refused, type Server } from './ask';
import { changed, type Draft, draftOf, onVersion, redone, standingOf, undone } from './drafts';
import type { DraftStore, OtherDraft } from './draftStore';

/** Everything that the views show, but for what one of them asks for itself. */
export interface StudioState {
  readonly project: StudioProject;
  readonly vocabulary: Vocabulary;
  /** By cohort: its id behind `cohort/`, or `new`. */
  readonly drafts: Readonly<Record<string, Draft>>;
  readonly others: readonly OtherDraft[];
  /** The latest news, for the status region. */
  readonly status: string;
}

/** What a view can do. */
export interface Studio {
  readonly state$: Observable<StudioState>;
  readonly current: () => StudioState;
  readonly edit: (id: string | undefined, text: string, place: string) => void;
  /** Makes a text the draft of the new cohort: a definition, or a condition alone. */
  readonly editNew: (text: string) => void;
  readonly undo: (id: string | undefined) => void;
  readonly redo: (id: string | undefined) => void;
  /** Puts the draft away: the cohort is as it is in the file. */
  readonly discard: (id: string | undefined) => void;
  /** Keeps the draft and takes the file’s present version as the one that it changes. */
  readonly keepMine: (id: string | undefined) => void;
  readonly takeOver: (other: OtherDraft) => void;
  /** Writes the cohort into the file. Emits its id where that was done. */
  readonly save: (id: string | undefined) => Observable<string>;
  readonly remove: (id: string) => Observable<unknown>;
  /** Gives a cohort an entry of a taxonomy, or takes it away, in the file. */
  readonly setEntry: (order: SetEntry) => Observable<unknown>;
  readonly saveExamples: (id: string, examples: readonly Example[]) => Observable<unknown>;
  readonly say: (status: string) => void;
  /** Loads the project again whenever the file has changed. Runs while it is subscribed to. */
  readonly follow$: Observable<unknown>;
}

export const keyOf = (id: string | undefined): string => (id === undefined ? 'new' : `cohort/${id}`);
const idOf = (key: string): string | undefined => (key === 'new' ? undefined : key.slice('cohort/'.length));

/** What a new cohort, and a query that is tried, begin with. */
export const firstCondition = { event: 'Pageview', is: { gte: 3 }, within: { days: 7 } };

/** A definition, or a condition alone, as a new cohort: with an id that no cohort has. */
const newText = (project: StudioProject, input: unknown): string => {
  const whole = isRecord(input) && 'q' in input ? input : { q: input };
  return prettyJson(Object.assign({ id: '', name: 'New cohort' }, whole, { id: freeId(project) }));
};

/** An id that no cohort has: the next number. */
const freeId = ({ cohorts }: StudioProject): string =>
  String(1 + Math.max(1000, ...cohorts.map(({ definition }) => Number(definition.id)).filter((id) => id < 9_999_999)));

/** The draft of a cohort, or what a draft would begin with; undefined where there is no such cohort. */
export const draftIn = ({ project, drafts }: StudioState, id: string | undefined): Draft | undefined => {
  const draft = drafts[keyOf(id)];
  if (draft !== undefined) return draft;
  if (id === undefined) return draftOf(undefined, project.version, newText(project, firstCondition));
  const cohort = project.cohorts.find(({ definition }) => definition.id === id);
  return cohort && draftOf(cohort.definition, project.version);
};

interface Given {
  readonly server: Server;
  readonly store: DraftStore;
  readonly project: StudioProject;
  readonly vocabulary: Vocabulary;
  readonly now: () => number;
}

export const openStudio = ({ server, store, project: first, vocabulary, now }: Given): Studio => {
  let state: StudioState = { project: first, vocabulary, drafts: {}, others: [], status: '' };
  const state$ = new BehaviorSubject(state);
  const current = (): StudioState => state;
  const change = (part: Partial<StudioState>): void => {
    state = { ...state, ...part };
    state$.next(state);
  };
  const say = (status: string): void => change({ status });
  const setDraft = (id: string | undefined, draft: Draft | undefined): void => {
    const others = Object.fromEntries(Object.entries(current().drafts).filter(([key]) => key !== keyOf(id)));
    store.write(keyOf(id), draft);
    change({ drafts: draft === undefined ? others : { ...others, [keyOf(id)]: draft } });
  };
  const withDraft = (id: string | undefined, edit: (draft: Draft) => Draft): void => {
    const draft = draftIn(current(), id);
    if (draft !== undefined) setDraft(id, edit(draft));
  };
  /** Takes what the file has now. Drafts whose cohort is as it was go on with the new version. */
  const take = (project: StudioProject): void => {
    change({ project });
    for (const [key, draft] of Object.entries(current().drafts)) {
      const standing = standingOf(project, idOf(key), draft);
      if (standing === 'changed') setDraft(idOf(key), onVersion(project, idOf(key), draft));
      // Steps back are kept, as long as there are any.
      if (standing === 'unchanged' && draft.past.length === 0) setDraft(idOf(key), undefined);
    }
  };
  const refused = (error: unknown): Observable<never> => {
    if (error instanceof Refused && error.refusal.project !== undefined) take(error.refusal.project);
    say(error instanceof Error ? error.message : String(error));
    return EMPTY;
  };
  take(first);
  for (const [key, draft] of Object.entries(store.read())) change({ drafts: { ...current().drafts, [key]: draft } });
  take(first);

  // The server tells of our own changes too.
  let writing = 0;
  const isBehind = (error: unknown): error is Refused =>
    error instanceof Refused && error.refusal.project !== undefined;
  /** Writes once more where the file has changed and this cohort has not. Anything else is for the person to decide. */
  const write = (id: string | undefined, definition: Definition | undefined): Observable<unknown> => {
    const draft = (): Draft | undefined => draftIn(current(), id);
    const once$ = defer(() =>
      server.ask('save', { id, definition, version: draft()?.version ?? current().project.version }),
    );
    return defer(() => {
      writing++;
      const mine = draft();
      return once$.pipe(
        catchError((error: unknown) => {
          if (!isBehind(error) || error.refusal.project === undefined) return throwError(() => error as Error);
          take(error.refusal.project);
          const isOurs = mine !== undefined && standingOf(current().project, id, mine) !== 'conflict';
          return isOurs ? once$ : throwError(() => error as Error);
        }),
        tap(take),
        catchError(refused),
        finalize(() => writing--),
      );
    });
  };
  /** Takes the project that the answer to an order is. */
  const written = (answer$: Observable<StudioProject>): Observable<unknown> =>
    defer(() => {
      writing++;
      return answer$.pipe(
        tap(take),
        catchError(refused),
        finalize(() => writing--),
      );
    });
  return {
    state$,
    current,
    say,
    edit: (id, text, place) => withDraft(id, (draft) => changed(draft, text, place, now())),
    editNew: (text) => {
      const hasDraft = current().drafts[keyOf(undefined)] !== undefined;
      withDraft(undefined, (draft) => changed(draft, newText(current().project, JSON.parse(text)), 'try', now()));
      say(`The query is the draft of a new cohort.${hasDraft ? ' The draft that was there is one step back.' : ''}`);
    },
    undo: (id) => withDraft(id, (draft) => undone(draft, now())),
    redo: (id) => withDraft(id, (draft) => redone(draft, now())),
    discard: (id) => {
      setDraft(id, undefined);
      say('The draft is gone. The cohort is as it is in the file.');
    },
    keepMine: (id) => {
      withDraft(id, (draft) => onVersion(current().project, id, draft));
      say('Your draft is kept. Saving it replaces what the file has now.');
    },
    takeOver: ({ cohort, draft }) => {
      setDraft(idOf(cohort), draft);
      say('The draft of the other window is here too.');
    },
    save: (id) => {
      const draft = draftIn(current(), id);
      if (draft === undefined) return EMPTY;
      let definition: Definition;
      try {
        definition = JSON.parse(draft.text) as Definition;
      } catch {
        say('The text is no JSON yet. Nothing was saved.');
        return EMPTY;
      }
      return write(id, definition).pipe(
        map(() => {
          setDraft(id, undefined);
          say(`Cohort ${definition.id} is saved in ${current().project.file}.`);
          return definition.id;
        }),
      );
    },
    remove: (id) =>
      write(id, undefined).pipe(
        tap(() => {
          setDraft(id, undefined);
          say(`Cohort ${id} is removed from ${current().project.file}.`);
        }),
      ),
    setEntry: (order) => written(server.ask('entry', order)),
    saveExamples: (id, examples) => written(server.ask('examples', { id, examples })),
    follow$: merge(
      server.changes$.pipe(
        switchMap(() => server.ask('project', {}).pipe(catchError(refused))),
        tap((project) => {
          if (dequal(project, current().project)) return;
          if (project.version === current().project.version) {
            change({ project });
            return;
          }
          const kept = Object.keys(current().drafts).length;
          take(project);
          if (writing === 0)
            say(`${project.file} was changed outside and is loaded again.${kept > 0 ? ' Your drafts are kept.' : ''}`);
        }),
      ),
      // The words that were recorded are there once the visits are read.
      state$.pipe(
        map(({ project }) => project.visits),
        distinctUntilChanged(),
        skip(1),
        switchMap(() => server.ask('vocabulary', {}).pipe(catchError(() => EMPTY))),
        tap((words) => change({ vocabulary: words })),
      ),
      store.others$.pipe(tap((others) => change({ others }))),
    ).pipe(
      catchError((error: unknown) => {
        say(String(error));
        return EMPTY;
      }),
    ),
  };
};
