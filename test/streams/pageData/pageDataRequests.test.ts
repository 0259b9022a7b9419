import { defer, EMPTY, NEVER, of } from 'rxjs';

import { pageDataRequests } from '../../../src/streams/pageData/pageDataRequests';
import { settingsOf } from '../../support/settings';

it('keeps the classification of the latest twenty addresses of a document', () => {
  const asked: string[] = [];
  const { classification } = pageDataRequests({
    setting: settingsOf({ watson: { enabled: true } }),
    askGeoip: () => EMPTY,
    askWatson: (url) =>
      defer(() => {
        asked.push(url);
        return of({});
      }),
    report: () => undefined,
    stop$: NEVER,
  });
  const ask = (url: number): void => void classification(String(url)).subscribe();
  const many = Array.from({ length: 21 }, (_, i) => i);
  many.forEach(ask);
  expect(asked).toHaveLength(21);
  ask(20);
  ask(1);
  expect(asked).toHaveLength(21);
  ask(0);
  expect(asked).toHaveLength(22);
});
