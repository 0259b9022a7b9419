import { EMPTY, type Observable, Subject } from 'rxjs';

import type { AddonStreams, AnyAddon } from '../../src/addons/addon';
import { json } from '../../src/hardening/plainJson';
import { addonsDoor } from '../../src/inspector/doors/addonsDoor';
import type { WatchDeps } from '../../src/inspector/doors/door';
import { openLog } from '../../src/inspector/log';
import type { LogLine } from '../../src/inspector/logEntry';
import { recorderOf } from '../../src/inspector/recorder';
import { playbackOf } from '../../src/inspector/replay/playback';

const line = (data: object, type = 'deferred'): LogLine => ({ t: 0, lane: 'door', type, data });
const valuesOf = (source$: Observable<unknown>): readonly unknown[] => {
  const values: unknown[] = [];
  source$.subscribe((value) => values.push(value));
  return values;
};

it('counts the subscriptions of each addon by themselves, in a recording and in a replay', () => {
  const header = { sdk: 'v1', project: 'p', clock: 0, complete: true };
  const log = openLog({ json, elapsed: () => 0, now: () => 0, salt: 0, header });
  const recorder = recorderOf(log, Object.is);
  const begun$ = new Subject<string>();
  const deferred$ = recorder.hear('deferred', begun$);
  const addon = {
    name: 'played',
    run: ({ message$ }: AddonStreams) => message$ as Observable<unknown>,
  } as unknown as AnyAddon;
  const [watched] = addonsDoor.watched([addon], { recorder } as unknown as WatchDeps);
  watched!.run({ message$: deferred$ } as unknown as AddonStreams, EMPTY, {} as never).subscribe();
  deferred$.subscribe();
  begun$.next('parts');
  const noted = log.entries().filter(({ type }) => type === 'deferred');
  expect(noted.map(({ data }) => data)).toEqual([
    { n: 1, by: 'played', value: 'parts' },
    { n: 1, value: 'parts' },
  ]);
  // The addon is played, and so nobody subscribes for it.
  const playback = playbackOf(
    noted.map(({ data }) => line({ ...(data as object), sync: true })),
    () => true,
  );
  expect(valuesOf(playback.hear('deferred'))).toEqual(['parts']);
});

it('answers a read before the first one of the page with what the page has read first', () => {
  const read = (key: string, value: unknown) => line({ door: 'setting', key, value, after: 1 }, 'read');
  const lines = [read('empty', null), line({ n: 1, value: 1 }), read('host', 'api'), read('empty', 'later')];
  const playback = playbackOf(lines, () => true);
  expect(['host', 'empty', 'never'].map((key) => playback.read('setting', key))).toEqual(['api', null, null]);
});
