import type { Methods } from '../api/apiPart';
import type { Tag } from '../api/tag';
import type { PageFacts } from '../model/clientContext';
import { tagMethods } from '../model/tagMethods';
import type { FakeOptions } from './fakeOptions';

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

/** The methods, each call of which is told to `note` first. */
export const notedMethods = (methods: Methods, note: (call: FakeCall) => void): Methods =>
  Object.fromEntries(
    Object.entries(methods).map(([method, run]) => [
      method,
      (...args: readonly unknown[]) => {
        note({ method, arguments: args });
        return run(...args);
      },
    ]),
  );

/** UUIDs that count up, so that two runs of a test see the same. */
export const countedIds = (): (() => string) => {
  let count = 0;
  return () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`;
};

/** What events say of the page. */
export const pageOf = ({
  url = 'https://site.example/article',
  title = 'Article',
  referrer = '',
  user_agent = 'Fake',
}: FakeOptions['page'] = {}): PageFacts => ({
  url: () => url,
  host: () => new URL(url).hostname,
  title: () => title,
  referrer: () => referrer,
  userAgent: () => user_agent,
});
