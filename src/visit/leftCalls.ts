import { defer, EMPTY, ignoreElements, type Observable } from 'rxjs';

import type { AnyAddon } from '../addons/addon';
import { eventName } from '../api/trackCalls';
import { type Codec, isRecord, list, readOr, value } from '../codecs/codecs';
import { NoJson } from '../hardening/json';
import { ownEntry, ownFields } from '../hardening/ownFields';
import { clientContext } from '../model/clientContext';
import type { ClientContext, Properties } from '../model/event';
import { sessionTimeoutMs } from '../model/pageContext';
import type { PageProject } from '../model/project';
import type { QueuedEvent } from '../model/queuedEvent';
import { localKeys } from '../model/storageKeys';
import type { Tools } from '../platform/platform';
import { isoText } from '../primitives/isoDate';
import { textOrEmpty } from '../primitives/textOrEmpty';
import { isUserId } from '../primitives/uuid';
import { backlog as journalBacklog, type BacklogDeps, type TakeOverDeps } from '../sinks/delivery/backlog';
import type { BacklogOwner, LeftBehind } from '../sinks/delivery/deliver';
import { boundedProperties } from '../streams/boundedProperties';
import { placeholdersIn, replaced } from '../streams/enrichment/placeholders';

export interface LeftCallsDeps
  extends Pick<Tools, 'local' | 'json' | 'setting' | 'now' | 'newId' | 'report' | 'page'>, Pick<BacklogDeps, 'userId'> {
  /** The addons that start with the page script, of which `web` is one. */
  readonly addons: readonly AnyAddon[];
  readonly project: Pick<PageProject, 'addons'>;
}

/** What the companion has kept of a page that was left before the SDK had come. */
type PageFacts = readonly [
  time: number,
  /** Null where the browser had none: then the visitor is the one of the next page. */
  userId: string | null,
  /** The id of the view that the tag has made; null where it has made none. */
  viewId: unknown,
  path: string,
  /** No text where an element of the page, or another value, stands in its place. */
  title: unknown,
  referrer: unknown,
];
const PageFacts: Codec<PageFacts> = value<PageFacts>('facts of a page', (input) => {
  if (!Array.isArray(input)) return false;
  const [time, userId, , path] = input as readonly unknown[];
  // ISO 8601 has no text for a time that no date can have.
  const isTime = typeof time === 'number' && !Number.isNaN(new Date(time).getTime());
  return isTime && (userId === null || isUserId(userId)) && typeof path === 'string';
});
/** Facts of a page, then its calls, and so on. */
const Kept = list(value<unknown>('a page or a call', (input) => typeof input === 'object' && input !== null));

/** A call of the tag's queue: the name of a method, and the first two arguments. */
type Call = readonly [functionName: unknown, first: unknown, second: unknown];

/**
 * The events of other pages, as `src/sinks/delivery/backlog.ts` finds them, once the events that pages without the SDK
 * have left are in the journal too.
 */
export const backlog = (owner: BacklogOwner, stored: LeftBehind['stored'], deps: TakeOverDeps & LeftCallsDeps) =>
  journalBacklog(
    owner,
    stored,
    deps,
    defer((): Observable<never> => {
      const records = takeLeftCalls(deps);
      if (records.size === 0) return EMPTY;
      return owner.attempt(() => deps.journal.write(records, false)).pipe(ignoreElements());
    }),
  );

/**
 * Takes the calls that the companion has kept on pages which were left before the SDK had come, and makes records of
 * the journal of them, as if each page had written one. From there they are uploaded and counted like all events. What
 * is broken is reported, and costs itself. Calls of another user are dropped.
 */
export const takeLeftCalls = (deps: LeftCallsDeps): ReadonlyMap<string, string> => {
  const { local, json, report } = deps;
  const owner = deps.userId();
  const records = new Map<string, string>();
  const text = local.read(localKeys.leftCalls);
  // While local storage is another user's, the calls there are for a page of theirs.
  if (text === null || owner === undefined || local.read(localKeys.userId) !== owner) return records;
  // At once, so that no other tab takes the same calls.
  local.remove(localKeys.leftCalls);
  const onFault = (cause: Error): void => report('Calls of an earlier page cannot be read', cause);
  const parsed = json.parse(text);
  const kept = readOr(Kept, parsed === NoJson ? undefined : parsed, [], onFault);
  /** The page whose calls follow; undefined where its facts are broken. */
  let page: LeftPage | undefined;
  const pages: LeftPage[] = [];
  for (const item of kept)
    if (Array.isArray(item)) {
      const facts = readOr(PageFacts, item, undefined, onFault);
      page = facts && { owner, facts, calls: [] };
      if (page && [null, owner].includes(page.facts[1])) pages.push(page);
    } else page?.calls.push(callOf(item as Fields));
  for (const left of pages) {
    const [, , viewId] = left.facts;
    const id = isUserId(viewId) && !records.has(`${viewId}/1`) ? viewId : deps.newId();
    const record = recordOf(id, left, deps);
    if (record !== null) records.set(`${id}/1`, record);
  }
  return records;
};

type Fields = Readonly<Record<string, unknown>>;
interface LeftPage {
  /** The user whose events they are. */
  readonly owner: string;
  readonly facts: PageFacts;
  readonly calls: Call[];
}

/** Older tags queue their `arguments` object, which is an object in JSON too. */
const callOf = (queued: Fields): Call => {
  const given = Object(queued['arguments']) as Fields;
  return [queued['functionName'], given[0], given[1]];
};

/**
 * The record of a page; null where none of its calls tells an event. Where the tag has made the page's id, the events
 * have that id with their number at its end, so that two tabs that take the same calls make the same events.
 */
const recordOf = (id: string, left: LeftPage, deps: LeftCallsDeps): string | null => {
  const [time, , viewId] = left.facts;
  const session_id = sessionAt(time, deps);
  const told = toldOf(id, left, deps);
  if (told.length === 0) return null;
  const events = told.map(({ name, properties, client, view_id }, i): QueuedEvent => {
    // The browser's address of now may be another than the page's.
    const withoutAddress = replaced(properties, (found) => (found === '$ip_address' ? null : found));
    return {
      id: id === viewId ? numbered(id, i + 1) : deps.newId(),
      user_id: left.owner,
      name,
      time: isoText(time),
      // Nobody knows which cohorts held at that time.
      segments: [],
      cohorts: [],
      properties: boundedProperties(name, withoutAddress, client, deps.report),
      session_id,
      view_id,
    };
  });
  const enrich = events.some(({ properties }) => {
    const { client: _, ...own } = properties;
    return placeholdersIn(own).length > 0;
  });
  return deps.json.stringify({ enrich, sdkProcessed: true, events, places: events.map((_, i) => [i + 1, 0]) });
};

/** The id with a number in place of its last four digits. The limit of the companion allows fewer than 65,536 calls. */
const numbered = (id: string, number: number): string => id.slice(0, -4) + number.toString(16).padStart(4, '0');

/**
 * The session of a page that was left at that time: the present one where that is less than its timeout ago, because
 * the visitor has not paused for so long. After a longer pause nothing says to which session the page belongs, so it
 * has one of its own.
 */
const sessionAt = (time: number, { local, json, now, newId }: LeftCallsDeps): string => {
  const { session_id } = Object(json.parse(local.read(localKeys.session) ?? '')) as Fields;
  return now() - time < sessionTimeoutMs && isUserId(session_id) ? session_id : newId();
};

/** An event that a call has told, without what all events of the page have. */
interface Told {
  readonly name: string;
  readonly properties: Properties;
  readonly client: ClientContext;
  readonly view_id: string;
}

/**
 * What the calls tell, in the order in which the SDK replays them: those of the addon `web` first. Each that says
 * another page than the one before it opens a view with a Pageview. Where the page filters events, its functions are
 * not there to ask, so the Pageview is left out and only opens the view.
 */
const toldOf = (
  id: string,
  { facts, calls }: Pick<LeftPage, 'facts' | 'calls'>,
  deps: LeftCallsDeps,
): readonly Told[] => {
  const [, , , path, title, referrer] = facts;
  const { setting, json } = deps;
  const origin = /^[^/]*\/\/[^/?#]*/.exec(deps.page.url())?.[0] ?? '';
  const page = {
    ...deps.page,
    url: () => origin + path,
    title: () => textOrEmpty(title),
    referrer: () => textOrEmpty(referrer),
  };
  const clientOf = (given: Partial<ClientContext>): ClientContext =>
    clientContext(page, setting('sdkType'), given, setting('redactedParameters'));
  const told: Told[] = [];
  let view = { client: clientOf({}), view_id: id };
  let said: string | undefined;
  for (const [functionName, name, given] of calls)
    if (functionName === 'addon' && name === 'web') {
      const options = webOptions(given, deps);
      const says = options && json.stringify([options.context, options.page]);
      if (options === undefined || says === said) continue;
      view =
        said === undefined
          ? { client: clientOf(options.context), view_id: id }
          : { client: clientOf({ referrer: view.client.url, ...options.context }), view_id: deps.newId() };
      said = says;
      if (!isRecord(given) || ownEntry(given, 'filterPermutiveEvent') === undefined)
        told.push({ name: 'Pageview', properties: options.page, ...view });
    }
  for (const [functionName, name, given] of calls)
    if (functionName === 'track' && typeof name === 'string' && eventName.test(name))
      told.push({ name, properties: isRecord(given) ? given : {}, ...view });
  return told;
};

/** What the addon `web` says of a Pageview. */
interface WebOptions {
  readonly page: Properties;
  readonly context: Partial<ClientContext>;
}

/** The options of a call, over those of the project, as the addon reads them; undefined where there is no addon. */
const webOptions = (given: unknown, { addons, project, report }: LeftCallsDeps): WebOptions | undefined => {
  const web = addons.find(({ name }) => name === 'web');
  const options = { ...ownEntry(project.addons, 'web'), ...(isRecord(given) && given) };
  return (
    web &&
    ownFields(web.options(options, (cause) => report(`Addon ${web.name} has invalid options`, cause)) as WebOptions)
  );
};
