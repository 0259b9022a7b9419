import { asyncScheduler, filter, ignoreElements, NEVER, type Observable, of, take, tap, timer } from 'rxjs';
import { map } from 'rxjs';

import { ctvWith } from '../../../src/addons/ctv/ctv';
import { trackVideos } from '../../../src/addons/ctv/trackVideos';
import type { PageExit } from '../../../src/model/pageSignal';
import { linesOf } from '../../../test/support/reports';
import { addonDeps, addonStreams } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

type Methods = Readonly<Record<'play' | 'pause' | 'stop' | 'setDuration', (argument?: unknown) => void>>;

const video = { title: 'Copper' };
/** o: a video of 100 s; n: another one, of unknown length. */
const starts = { o: { duration: 100_000, videoProperties: video }, n: { videoProperties: { title: 'Tin' } } };
const gone: Readonly<Record<string, PageExit>> = {
  h: { step: 'beforeFlush', isUnloading: false },
  g: { step: 'beforeFlush', isUnloading: true },
  G: { step: 'flush', isUnloading: true },
};

const view = { name: 'Videoview', properties: { video } };
const engagement = (seconds: number, total: number, completion: number, totalCompletion: number) => ({
  name: 'VideoEngagement',
  properties: {
    video,
    engaged_time: seconds,
    total_engaged_time: total,
    completion,
    total_completion: totalCompletion,
  },
  edgeOnly: true,
});
const complete = (total: number, completion: number) => ({
  name: 'VideoCompletion',
  properties: {
    video,
    engaged_time: total,
    completion,
    aggregations: { VideoEngagement: { engaged_time: total, completion } },
  },
  beacon: true,
});

/** The addon on a page, and its methods as the page calls them. */
const played = (
  options$: Observable<unknown>,
  given: {
    readonly pageExit$?: Observable<PageExit>;
    readonly loadMs?: number;
    readonly isVisible?: () => boolean;
  } = {},
) => {
  const { pageExit$ = NEVER, loadMs = 0, isVisible = () => true } = given;
  const deps = addonDeps({ isVisible });
  let methods: Methods | undefined;
  deps.expose.mockImplementation((exposed: unknown) => (methods = exposed as Methods));
  const addon = ctvWith(() => (loadMs === 0 ? of({ trackVideos }) : timer(loadMs).pipe(map(() => ({ trackVideos })))));
  const call =
    (name: keyof Methods, argument?: unknown): (() => void) =>
    () =>
      methods?.[name](argument);
  return { draft$: addon.run(addonStreams({ pageExit$ }), options$, deps), call, deps };
};

describe('ctv, by the methods that the page calls', () => {
  marble('tracks the start, five watched seconds at a time, and the stop', ({ hot, schedule, expectObservable }) => {
    const options$ = hot('   o', starts);
    const { draft$, call } = played(options$);
    schedule('               -p 7009ms s', { p: call('play'), s: call('stop') });
    expectObservable(draft$).toBe('v 5000ms e 2009ms (rc)', {
      v: view,
      e: engagement(5, 5, 0.05, 0.05),
      r: engagement(2, 7, 0.02, 0.07),
      c: complete(7, 0.07),
    });
  });

  marble('counts no seconds of a pause', ({ hot, schedule, expectObservable }) => {
    const { draft$, call } = played(hot('o', starts));
    schedule('-p 3499ms a 59999ms p 2000ms -', { p: call('play'), a: call('pause') });
    // 3 s before the pause and 2 s after it.
    expectObservable(draft$, '^ 70s !').toBe('v 65500ms e', { v: view, e: engagement(5, 5, 0.05, 0.05) });
  });

  marble('counts what was watched twice once, and not what was jumped over', ({ hot, schedule, expectObservable }) => {
    const { draft$, call } = played(hot('o', starts));
    schedule('-p 9ms a 9ms q 9ms b 9ms q 9ms b 9ms s', {
      p: call('play', 0),
      a: call('pause', 10_000),
      q: call('play', 50_000),
      b: call('pause', 70_000),
      s: call('stop', 100_000),
    });
    expectObservable(draft$).toBe('v 60ms c', { v: view, c: complete(0, 0.3) });
  });

  marble('takes a second play for a jump', ({ hot, schedule, expectObservable }) => {
    const { draft$, call } = played(hot('o', starts));
    schedule('-p 2099ms q 2099ms s', { p: call('play', 0), q: call('play', 90_000), s: call('stop', 92_000) });
    expectObservable(draft$).toBe('v 4200ms (ec)', {
      v: view,
      e: engagement(4, 4, 0.04, 0.04),
      c: complete(4, 0.04),
    });
  });

  marble('views it again when it plays after a stop', ({ hot, schedule, expectObservable }) => {
    const { draft$, call } = played(hot('o', starts));
    schedule('-s--p-s', { s: call('stop'), p: call('play') });
    expectObservable(draft$).toBe('vc--v-c', { v: view, c: complete(0, 0) });
  });

  marble('ends the video before when another one starts', ({ hot, expectObservable }) => {
    const { draft$ } = played(hot('o--n', starts));
    expectObservable(draft$).toBe('v--(cw)', {
      v: view,
      c: complete(0, 0),
      w: { name: 'Videoview', properties: { video: { title: 'Tin' } } },
    });
  });

  marble(
    'tells no completion of an unknown length, and one once it is known',
    ({ hot, schedule, expectObservable }) => {
      const { draft$, call } = played(hot('n', starts));
      schedule('-s--p-d-t', {
        s: call('stop', 40_000),
        p: call('play', 0),
        d: call('setDuration', 80_000),
        t: call('stop', 40_000),
      });
      const tin = { video: { title: 'Tin' } };
      const [none, half] = [{ engaged_time: 0 }, { engaged_time: 0, completion: 0.5 }];
      expectObservable(draft$).toBe('vc--v---h', {
        v: { name: 'Videoview', properties: tin },
        c: {
          name: 'VideoCompletion',
          properties: { ...tin, ...none, aggregations: { VideoEngagement: none } },
          beacon: true,
        },
        h: {
          name: 'VideoCompletion',
          properties: { ...tin, ...half, aggregations: { VideoEngagement: half } },
          beacon: true,
        },
      });
    },
  );

  marble('counts no engagement while the page is hidden, and goes on', ({ hot, schedule, expectObservable }) => {
    let isVisible = true;
    const { draft$, call } = played(hot('o', starts), {
      isVisible: () => isVisible,
      pageExit$: hot(' 3s h', gone),
    });
    schedule('-p 2499ms h 9999ms v', {
      p: call('play'),
      h: () => (isVisible = false),
      v: () => (isVisible = true),
    });
    // 2 s before it was hidden; 10 s of the video passed unseen; 3 s after it.
    expectObservable(draft$.pipe(take(2))).toBe('v 15000ms (e|)', { v: view, e: engagement(5, 5, 0.15, 0.15) });
  });

  marble('tracks the completion when the page unloads, once', ({ hot, schedule, expectObservable }) => {
    const { draft$, call } = played(hot('o', starts), { pageExit$: hot('5ms (gG)', gone) });
    schedule('-p', { p: call('play') });
    expectObservable(draft$).toBe('v----c', { v: view, c: complete(0, 0) });
  });

  marble('keeps calls until its chunk has loaded', ({ hot, schedule, expectObservable }) => {
    const { draft$, call } = played(hot('o', starts), { loadMs: 500 });
    schedule('-p-a', { p: call('play', 0), a: call('pause', 20_000) });
    schedule('600ms s', { s: call('stop') });
    expectObservable(draft$).toBe('500ms v 99ms c', { v: view, c: complete(0, 0.2) });
  });

  marble('reports what it cannot use, and goes on', ({ hot, schedule, flush, expectObservable }) => {
    const { draft$, call, deps } = played(hot('---o', starts));
    schedule('-p---d-q-r-s', {
      p: call('play'),
      d: call('setDuration', 'long'),
      q: call('play', NaN),
      r: call('pause', -1),
      s: call('stop', 50_000),
    });
    // The pause had no place, so the stop does not count as watched.
    expectObservable(draft$).toBe('---v-------c', { v: view, c: complete(0, 0) });
    flush();
    expect(linesOf(deps.report)).toEqual([
      "Invalid call of permutive.addons.ctv: play: expected a video that permutive.addon('ctv') has started",
      'Invalid call of permutive.addons.ctv: setDuration/0: expected ms, more than 0',
      'Invalid call of permutive.addons.ctv: play/0: expected ms, 0 or more',
      'Invalid call of permutive.addons.ctv: pause/0: expected ms, 0 or more',
    ]);
  });

  marble(
    'reports options that it cannot use, and tracks the video without them',
    ({ hot, flush, expectObservable }) => {
      const { draft$, deps } = played(hot('o', { o: { duration: 0, element: {}, videoProperties: 'Copper' } }));
      expectObservable(draft$).toBe('v', { v: { name: 'Videoview', properties: { video: {} } } });
      flush();
      expect(linesOf(deps.report)).toEqual([
        'Addon ctv has invalid options: duration: expected ms, more than 0',
        'Addon ctv has invalid options: videoProperties: expected UnknownRecord',
        'Addon ctv has invalid options: element: expected a video or audio element',
      ]);
    },
  );
});

/** An element whose state a test sets, and whose events it makes. */
const fakeElement = () => {
  const target = new EventTarget();
  const state = { currentTime: 0, duration: NaN, paused: true, ended: false, seeking: false, readyState: 4 };
  return Object.assign(target, state, {
    isConnected: true,
    tell(this: EventTarget & typeof state, type: string, changes: Partial<typeof state> & { isConnected?: boolean }) {
      Object.assign(this, changes);
      this.dispatchEvent(new Event(type));
    },
  });
};

describe('ctv, with an element', () => {
  marble('tracks a view of the element from its first play to its end', ({ hot, schedule, expectObservable }) => {
    const element = fakeElement();
    const { draft$ } = played(hot('o', { o: { element, videoProperties: video } }));
    schedule('-d-p 4999ms e', {
      d: () => element.tell('durationchange', { duration: 5 }),
      p: () => element.tell('playing', { paused: false }),
      e: () => {
        element.tell('pause', { paused: true, ended: true, currentTime: 5 });
        element.tell('ended', {});
      },
    });
    // The position advances as a player's does.
    const advance$ = timer(0, 250, asyncScheduler).pipe(
      filter(() => !element.paused),
      tap(() => (element.currentTime += 0.25)),
      take(19),
      ignoreElements(),
    );
    expectObservable(advance$).toBe('4750ms |');
    expectObservable(draft$).toBe('---v 4999ms (rc)', {
      v: view,
      r: engagement(4, 4, 1, 1),
      c: complete(4, 1),
    });
  });

  marble('does not count a second in which it has not advanced', ({ hot, schedule, expectObservable }) => {
    const element = Object.assign(fakeElement(), { duration: 100 });
    const { draft$ } = played(hot('o', { o: { element, videoProperties: video } }));
    schedule('p 9999ms s', {
      p: () => element.tell('playing', { paused: false }),
      s: () => element.tell('emptied', {}),
    });
    expectObservable(draft$).toBe('v 9999ms c', { v: view, c: complete(0, 0) });
  });

  marble('counts what was watched on both sides of a jump', ({ hot, schedule, expectObservable }) => {
    const element = Object.assign(fakeElement(), { duration: 100 });
    const { draft$ } = played(hot('o', { o: { element, videoProperties: video } }));
    schedule('p 999ms -j-k 20ms e', {
      p: () => element.tell('playing', { paused: false, currentTime: 0 }),
      j: () => element.tell('seeking', { currentTime: 90, seeking: true }),
      k: () => element.tell('seeked', { seeking: false }),
      e: () => element.tell('ended', {}),
    });
    schedule('900ms a', { a: () => (element.currentTime = 1) });
    expectObservable(draft$).toBe('v 1023ms (ec)', {
      v: view,
      e: engagement(1, 1, 0.11, 0.11),
      c: complete(1, 0.11),
    });
  });

  marble('ends the view when the page removes the element', ({ hot, schedule, expectObservable }) => {
    const element = Object.assign(fakeElement(), { duration: 100 });
    const { draft$ } = played(hot('o', { o: { element, videoProperties: video } }));
    schedule('p---r', {
      p: () => element.tell('playing', { paused: false }),
      r: () => element.tell('pause', { paused: true, isConnected: false }),
    });
    expectObservable(draft$).toBe('v---c', { v: view, c: complete(0, 0) });
  });

  marble('follows several elements, and one that plays already', ({ hot, schedule, expectObservable }) => {
    const [first, second] = [fakeElement(), Object.assign(fakeElement(), { duration: 10, paused: false })];
    const { draft$ } = played(
      hot('a-b', {
        a: { element: first, videoProperties: { title: 'A' } },
        b: { element: second, videoProperties: { title: 'B' } },
      }),
    );
    schedule('----p-e', {
      p: () => first.tell('playing', { paused: false }),
      e: () => second.tell('emptied', { paused: true }),
    });
    expectObservable(draft$.pipe(map(({ name, properties }) => [name, properties?.['video']])), '^ 100ms !').toBe(
      '--b-a-c',
      {
        a: ['Videoview', { title: 'A' }],
        b: ['Videoview', { title: 'B' }],
        c: ['VideoCompletion', { title: 'B' }],
      },
    );
  });

  marble('hears the element no more once the visit ends', ({ hot, flush, expectObservable }) => {
    const element = fakeElement();
    const [added, removed] = [jest.spyOn(element, 'addEventListener'), jest.spyOn(element, 'removeEventListener')];
    const { draft$ } = played(hot('o', { o: { element } }));
    expectObservable(draft$, '^--!').toBe('');
    flush();
    expect(added.mock.calls).toHaveLength(8);
    expect(removed.mock.calls).toEqual(added.mock.calls);
  });
});
