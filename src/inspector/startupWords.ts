import type { Event } from '../model/event';
import type { Startup } from '../model/startup';
import { shortText } from './shortText';

/** A name and what is said of it. */
export type Words = readonly (readonly [name: string, words: string])[];

/** What start-up has found (spec C§3), in words. Who the visitor is, is left out. */
export const startupWords = (startup: Startup): Words => {
  const { cohorts, realtime, transitionsSinceInit, activations, geoIP, externalData } = startup;
  const entered = transitionsSinceInit.filter(({ entry }) => entry).length;
  return [
    ['Cohorts', `${pluralised(cohorts.length, 'cohort')}, of ${realtime ? 'this page' : 'the last page'}`],
    ['Transitions', `${entered} entered, ${transitionsSinceInit.length - entered} left`],
    ['Activated', listed(Object.entries(activations).map(([platform, codes]) => `${platform} ${codes.length}`))],
    [
      'Place',
      listed(
        [geoIP?.['city'], geoIP?.['province'], geoIP?.['country']].map((name) => shortText(name)),
        'not known',
      ),
    ],
    ['Looked up', listed(Object.entries(externalData).map(([name, data]) => lookedUp(name, data)))],
    ['Secure signal', startup.secureSignal ?? 'none'],
    ['Events to publish', countsByName(startup.eventsToPublish)],
    ['Events at page exit', countsByName(startup.eventsToPublishOnPageUnload)],
    ['Stored state', startup.stateMigratedThisInitialisation ? 'brought up to this version' : 'of this version'],
  ];
};

const pluralised = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const listed = (words: readonly string[], none = 'none'): string => words.filter(Boolean).join(', ') || none;

/** Data of other parties is by provider. */
const lookedUp = (name: string, data: unknown): string => {
  const providers = /Party$/.test(name) && typeof data === 'object' ? Object.keys(data ?? {}) : [];
  return providers.length === 0 ? name : `${name} (${providers.join(', ')})`;
};

/** Each name once, with how often it is there. */
const countsByName = (events: readonly Event[]): string => {
  const counts = new Map<string, number>();
  for (const { name } of events) counts.set(name, (counts.get(name) ?? 0) + 1);
  return listed([...counts].map(([name, count]) => (count > 1 ? `${name} × ${count}` : name)));
};
