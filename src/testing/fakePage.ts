import { Observable } from 'rxjs';

import type { Methods } from '../api/apiPart';
import type { PublicApi } from '../api/publicApi';
import type { Tag } from '../api/tag';
import { tagMethods } from '../api/tagMethods';
import { isRecord } from '../codecs/codecs';
import type { Page } from '../platform/platform';
import type { FakeOptions } from './fakeOptions';
import type { FakeRuntime } from './fakeRuntime';

/* eslint-disable no-restricted-syntax -- plays the page: it is part of no bundle */

/** One call that the page has made. */
export interface FakeCall {
  readonly method: string;
  readonly arguments: readonly unknown[];
}

/** The object as the snippet leaves it: with a queue, and stubs that push to it. */
export const tagWith = (config: FakeOptions['config'] = {}): Tag => {
  const q: unknown[] = [];
  const stubs = tagMethods.map(
    (functionName) =>
      [functionName, (...args: readonly unknown[]) => void q.push({ functionName, arguments: args })] as const,
  );
  return { ...Object.fromEntries<unknown>(stubs), q, config: { environment: 'production', ...config } };
};

/**
 * The public object, each call of whose methods is told to `note` first. Functions of the page run outside the SDK's
 * time.
 */
export const notedApi = (api: PublicApi, note: (call: FakeCall) => void, runtime: Time): PublicApi => {
  const { cohorts$, transitions$, events$ } = api.streams;
  const toPage = (source$: Observable<unknown>): Observable<unknown> =>
    new Observable((subscriber) =>
      source$.subscribe({
        next: (value) => runtime.outside(() => subscriber.next(value)),
        error: (cause: unknown) => subscriber.error(cause),
      }),
    );
  return {
    ...api,
    methods: notedMethods(api.methods, note, runtime),
    streams: { cohorts$: toPage(cohorts$), transitions$: toPage(transitions$), events$: toPage(events$) },
  };
};

type Time = Pick<FakeRuntime, 'act' | 'outside'>;

const notedMethods = (methods: Methods, note: (call: FakeCall) => void, { act, outside }: Time): Methods =>
  Object.fromEntries(
    Object.entries(methods).map(([method, run]) => [
      method,
      (...args: readonly unknown[]) => {
        note({ method, arguments: args });
        return act(() => run(...args.map((given) => pagesOwn(given, outside))));
      },
    ]),
  );

/** The same, whose functions run outside the SDK's time: a callback, or an object of callbacks. */
const pagesOwn = (given: unknown, outside: FakeRuntime['outside']): unknown => {
  if (typeof given === 'function')
    return (...args: readonly unknown[]): unknown =>
      outside(() => (given as (...args: readonly unknown[]) => unknown)(...args));
  if (!isRecord(given) || !Object.values(given).some((value) => typeof value === 'function')) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'function' ? pagesOwn(value, outside) : value,
    ]),
  );
};

/** What events say of the page. */
export const describedPage = ({
  url = 'https://site.example/article',
  title = 'Article',
  referrer = '',
  user_agent = 'Fake',
}: FakeOptions['page'] = {}): Partial<Page> => ({
  url: () => url,
  host: () => new URL(url).hostname,
  path: () => new URL(url).pathname,
  title: () => title,
  referrer: () => referrer,
  userAgent: () => user_agent,
});
