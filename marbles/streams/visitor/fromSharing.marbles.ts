import { fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { json } from '../../../src/hardening/plainJson';
import type { Page } from '../../../src/platform/platform';
import { fromSharing } from '../../../src/streams/visitor/fromSharing';
import { settingsOf } from '../../../test/support/settings';
import { marble } from '../../support/marbles';

const answers = { y: true, n: false };
/** What a platform says: not ready, no opt-out, an opt-out of sale in California, Global Privacy Control. */
const ping = (signalStatus: string, parsedSections: object) => ({
  eventName: 'signalStatus',
  listenerId: 1,
  pingData: { signalStatus, parsedSections },
});
const said = {
  w: ping('not ready', { usnat: { SaleOptOut: 1 } }),
  y: ping('ready', { usnat: { SaleOptOut: 2, SharingOptOut: 0, TargetedAdvertisingOptOut: 2 }, tcfeuv2: {} }),
  s: ping('ready', { usca: [{ SaleOptOut: 1, SharingOptOut: 2 }] }),
  h: ping('ready', { usnat: { SharingOptOut: 1 } }),
  t: ping('ready', { usva: { TargetedAdvertisingOptOut: 1 } }),
  g: ping('ready', { usnat: [{ SaleOptOut: 2 }, { Gpc: true }] }),
};
type Heard = (data: unknown, success: unknown) => void;

const sharing = (globals: Readonly<Record<string, unknown>>, config = {}, page: Partial<Page> = {}) =>
  fromSharing({ ...fakePlatform({ globals, page }), json, setting: settingsOf(config) });

describe('fromSharing', () => {
  marble('allows at once where the page and the browser say nothing', ({ expectObservable }) => {
    expectObservable(sharing({}), '^ 9s !').toBe('y', answers);
  });

  marble(
    'refuses where the browser sends Global Privacy Control, unless that is switched off',
    ({ expectObservable }) => {
      const page = { privacyControl: () => true };
      expectObservable(sharing({}, {}, page)).toBe('(n|)', answers);
      expectObservable(sharing({}, { respectGpc: false }, page), '^ 9s !').toBe('y', answers);
    },
  );

  marble('follows GPP from its first answer on, in all US sections', ({ hot, expectObservable }) => {
    const event$ = hot('  -w-y-s-y-h-y-t-y-g', said);
    const expected = '    ---y-n-y-n-y-n-y-n';
    const __gpp = (command: string, heard: Heard) => {
      if (command === 'addEventListener') event$.subscribe((event) => heard(event, true));
    };
    expectObservable(sharing({ __gpp })).toBe(expected, answers);
  });

  marble('refuses while a platform that came late has no answer', ({ cold, hot, expectObservable }) => {
    const globals: Record<string, unknown> = {};
    const event$ = hot('  400ms y', said);
    const gpp = (_: string, heard: Heard) => event$.subscribe((event) => heard(event, true));
    cold('150ms x').subscribe(() => {
      globals['__gpp'] = gpp;
    });
    expectObservable(sharing(globals), '^ 1s !').toBe('y 199ms n 199ms y', answers);
  });

  marble('refuses where a platform throws or fails', ({ expectObservable }) => {
    const thrower = () => {
      throw new Error('broken');
    };
    expectObservable(sharing({ __gpp: thrower })).toBe('n', answers);
    expectObservable(sharing({ __gpp: (_: string, heard: Heard) => heard({}, false) })).toBe('n', answers);
    expectObservable(sharing({ __uspapi: thrower })).toBe('n', answers);
    const failing = (_: string, __: number, heard: Heard) => heard(null, false);
    expectObservable(sharing({ __uspapi: failing })).toBe('n', answers);
  });

  marble('asks for the US Privacy string where there is no GPP', ({ expectObservable }) => {
    const usp = (uspString: string) => ({
      __uspapi: (_: string, __: number, heard: Heard) => heard({ version: 1, uspString }, true),
    });
    expectObservable(sharing(usp('1YYN'))).toBe('n', answers);
    expectObservable(sharing(usp('1YNN'))).toBe('y', answers);
    expectObservable(sharing(usp('1---'))).toBe('y', answers);
  });

  marble('removes its listener when unsubscribed', ({ expectObservable, flush }) => {
    const asked: unknown[] = [];
    const __gpp = (command: string, heard: Heard, parameter: unknown) => {
      asked.push([command, parameter]);
      if (command === 'addEventListener') heard(said.y, true);
    };
    expectObservable(sharing({ __gpp }), '^-!').toBe('y', answers);
    flush();
    expect(asked).toEqual([
      ['addEventListener', undefined],
      ['removeEventListener', 1],
    ]);
  });
});
