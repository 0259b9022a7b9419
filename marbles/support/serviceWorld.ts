import { asyncScheduler, NEVER, type Observable, of } from 'rxjs';

import type { ServiceDeps, ServiceStreams } from '../../src/cohorts/service';
import { noExperiment } from '../../src/contracts/experiment';
import { fakePlatform } from '../../src/fakePlatform/fakePlatform';
import { json } from '../../src/hardening/plainJson';
import type { HttpAnswer, HttpRequest } from '../../src/platform/platform';
import { addressesOf, noon, visitorId } from '../../test/support/events';
import { projectOf } from '../../test/support/project';
import { reportMock } from '../../test/support/reports';
import { settingsOf } from '../../test/support/settings';
import type { MarbleHelpers } from './marbles';

/** What a service finds: its project, and the server's answers by a part of the address. */
export interface ServiceFacts {
  readonly project?: Partial<ServiceDeps['project']>;
  /** The clock stands still; else it goes with virtual time. */
  readonly standing?: boolean;
  /** An answer that is missing is a status of 500. */
  readonly answers: Readonly<Record<string, unknown>>;
}

const client = {
  type: 'web',
  user_agent: 'agent',
  url: 'https://www.site.example',
  domain: 'site.example',
  title: 'Title',
  referrer: '',
} as const;

/** A visit in which nothing happens, and a server that answers after 10 ms. */
export const serviceWorld = (
  { cold }: Pick<MarbleHelpers, 'cold'>,
  { project = {}, standing = false, answers }: ServiceFacts,
) => {
  const send = (request: HttpRequest): Observable<HttpAnswer> => {
    const name = Object.keys(answers).find((part) => request.url.includes(part));
    const answer =
      name === undefined ? { status: 500, body: '' } : { status: 200, body: JSON.stringify(answers[name]) };
    return cold('10ms (a|)', { a: answer });
  };
  const streams: ServiceStreams = {
    event$: NEVER,
    viewed$: NEVER,
    pageview$: NEVER,
    latest$: NEVER,
    transitionsSinceInit$: NEVER,
    initialised$: NEVER,
    lookup: () => NEVER,
    fill: () => NEVER,
    cohorts$: NEVER,
    usage$: NEVER,
    models$: NEVER,
    ends$: NEVER,
    contextual$: NEVER,
    identities$: NEVER,
    tcf$: NEVER,
    sharing$: of(true),
    isNew: false,
    adopted$: NEVER,
    isAdopted: () => false,
    pageExit$: NEVER,
    stop$: NEVER,
    addressOf: addressesOf(),
    context: () => ({
      user_id: visitorId,
      session_id: 'session',
      view_id: 'view',
      client: { ...client, path: '/', view_id: 'view' },
    }),
  };
  const platform = fakePlatform({
    send,
    now: () => (standing ? noon : noon + asyncScheduler.now()),
    yieldThread: () => cold('(y|)'),
    page: { url: () => 'https://www.site.example/' },
  });
  const deps = {
    ...platform,
    setting: settingsOf(),
    json,
    project: { ...projectOf(), tpdProviders: [], ...project },
    experiment: noExperiment,
    calls: { addon: () => NEVER },
    report: reportMock(),
  } satisfies ServiceDeps;
  return { asked: platform.requests, streams, deps };
};
