import { ignoreElements, mergeMap, tap } from 'rxjs';

import type { Addon } from '../../src/addons/addon';
import { openPage } from '../fuzz/support/stage';

describe('A page of very many events and transitions', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('tells a reader that comes late the newest thousand transitions', () => {
    const heard: string[] = [];
    const late: Addon<unknown> = {
      name: 'late',
      autoInit: false,
      options: (input) => input,
      run: ({ transitionsSinceInit$ }, options$) =>
        options$.pipe(
          mergeMap(() => transitionsSinceInit$),
          tap(({ id }) => heard.push(id)),
          ignoreElements(),
        ),
    };
    const page = openPage({ addons: [late] });
    const transitions = Array.from({ length: 1100 }, (_, i) => ({ id: `${i}`, entry: true, time: 0 }));
    page.platform.engines.at(-1)?.say({ type: 'transitions', transitions });
    jest.advanceTimersByTime(5000);
    page.call('addon', 'late', {});
    jest.advanceTimersByTime(100);
    page.stop();
    expect(heard).toEqual(transitions.slice(100).map(({ id }) => id));
  });
});
