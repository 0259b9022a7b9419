import type { MetricsContext } from '../endpoints/metricsContext';
import { sdkVersion } from '../model/clientContext';
import type { Metric } from '../model/metric';
import { type NotesDeps, readNote, writeNote } from '../model/notes';
import type { PageContext } from '../model/pageContext';
import type { Page, Tools } from '../platform/platform';
import { times } from '../primitives/lists';
import type { Heard } from './heard';
import { requestMetrics } from './requestMetrics';
import { countedSession } from './sessionCounts';

export interface VisitCountsDeps extends NotesDeps, Pick<Tools, 'setting'> {
  readonly page: Pick<Page, 'userAgent'>;
}

/**
 * Counts events, cohorts, starts and views of one visit, from zero, for the context of its metrics (spec C§3). The
 * counts of the session are stored as a note, because a session spans several pages.
 */
export const visitCounts = (context: () => PageContext, deps: VisitCountsDeps) => {
  let [events, cohorts] = [0, 0];
  let isRealtime = false;
  /** Pageviews whose cohorts this page has not evaluated yet. */
  let waiting = 0;
  const cohortCount = (name: string): Metric => ({ name, value: cohorts, labels: {} });
  const cohortCounts = (views: number): readonly Metric[] =>
    times(views, () => cohortCount('sdk_pageview_cohort_count'));
  const session = (added = {}) => {
    const counts = countedSession(readNote('metricsSession', deps), context().session_id, added);
    writeNote('metricsSession', counts, deps);
    return counts;
  };
  return {
    /** Counts what was heard, and answers the metrics that it makes. */
    metricsIn: (heard: Heard): readonly Metric[] => {
      switch (heard.type) {
        case 'metrics':
          return heard.metrics;
        case 'request':
          return requestMetrics(heard);
        case 'cohorts':
          // Cohorts of the last page are not this page's.
          if (!heard.cohorts.isRealtime) return [];
          cohorts = heard.cohorts.members.length;
          return [];
        case 'stage':
          if (heard.stage === 'initialised') session({ inits: 1 });
          if (heard.stage !== 'realtime') return [];
          isRealtime = true;
          // Also on a page without a Pageview (spec C§4).
          return [cohortCount('sdk_realtime_segment_count'), ...cohortCounts(waiting)];
        case 'event':
          events += 1;
          if (heard.event.name !== 'Pageview') return [];
          session({ views: 1 });
          if (isRealtime) return cohortCounts(1);
          waiting += 1;
          return [];
      }
    },
    /** What all metrics of a request have in common, with the counts of this moment. */
    context: (): MetricsContext => {
      const { sessions, inits, views } = session();
      return {
        continent: continentOf(context()),
        environment: deps.setting('environment'),
        events_count: events,
        os: osOf(deps.page.userAgent()),
        sample_rate: deps.setting('metricsSamplingPercentage') / 100,
        sdk_version: sdkVersion,
        segments_count: cohorts,
        session_count: sessions,
        session_init_count: inits,
        session_view_count: views,
        user_agent: context().client.user_agent,
      };
    },
  };
};

/** The visitor's continent, where the provider has told it. */
const continentOf = ({ geoip }: PageContext): string | null => {
  const continent = geoip?.['continent'];
  return typeof continent === 'string' ? continent : null;
};

const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad|iPod/, 'iOS'],
  [/CrOS/, 'ChromeOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
] as const;

/**
 * The operating system that a user agent names; `other` for unknown ones. The order of the patterns matters: Android
 * also names Linux, and iOS also names Mac OS.
 */
export const osOf = (userAgent: string): string => systems.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'other';
