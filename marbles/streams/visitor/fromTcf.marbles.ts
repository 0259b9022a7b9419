import { delay, map, timer } from 'rxjs';

import { fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { json } from '../../../src/hardening/plainJson';
import type { Tcf } from '../../../src/model/tcf';
import { fromTcf } from '../../../src/streams/visitor/fromTcf';
import { tcStringOf } from '../../../test/support/tcString';
import { marble, marbles } from '../../support/marbles';

type Callback = (data: unknown, success: unknown) => void;

/** A consent platform that a test plays. */
const platformOf = () => {
  const listeners = new Map<number, Callback>();
  const removed: unknown[] = [];
  let next = 0;
  const api = (command: string, version: number, callback: Callback, parameter?: unknown): void => {
    expect(version).toBe(2);
    if (command === 'addEventListener') listeners.set(next++, callback);
    else if (command === 'removeEventListener') removed.push(parameter);
    else throw new Error(command);
  };
  const say = (data: object, success: unknown = true): void =>
    listeners.forEach((callback, listenerId) => callback({ listenerId, ...data }, success));
  return { api, say, removed };
};

const pageOf = (globals: Record<string, unknown>) => ({ ...fakePlatform({ globals }), json });
const loaded = (eventStatus: string, consents: Readonly<Record<number, unknown>> = {}, more: object = {}) => ({
  eventStatus,
  gdprApplies: true,
  tcString: 'C',
  vendor: { consents },
  ...more,
});

/** Status, whether GDPR applies, tc string, and which of two vendors have consent. */
const words = ({ status, gdprApplies, tcString, vendorConsent }: Tcf): string =>
  [status, gdprApplies, tcString, ...[21, 755].filter(vendorConsent)].join(' ');

/** Purposes that the publisher keeps a vendor from. */
const restrictedOf =
  (vendorId: number) =>
  ({ isRestricted }: Tcf): string =>
    [1, 3, 4, 7, 12].filter((purpose) => isRestricted(vendorId, purpose)).join(' ');

describe('fromTcf', () => {
  marble('is missing where there is no platform after 20 times 50 ms', ({ expectObservable }) => {
    expectObservable(fromTcf(pageOf({})).pipe(map(words)), '^ 2s !').toBe('1s m', { m: 'missing false  21 755' });
  });

  marble('hears a platform that comes after 3 s; until it answers, nobody has consent', ({ expectObservable }) => {
    const { api, say } = platformOf();
    const globals: Record<string, unknown> = {};
    timer(3000).subscribe(() => (globals['__tcfapi'] = api));
    timer(6000).subscribe(() => say(loaded('useractioncomplete', { 21: true })));
    expectObservable(fromTcf(pageOf(globals)).pipe(map(words)), '^ 7s !').toBe('1s m 3999ms a 999ms d', {
      m: 'missing false  21 755',
      a: 'aborted true ',
      d: 'loaded true C 21',
    });
  });

  marble('hears the first answer, and each new one; an open dialog is none', ({ expectObservable }) => {
    const { api, say } = platformOf();
    timer(1).subscribe(() => say(loaded('cmpuishown', {}, { tcString: '' })));
    timer(5).subscribe(() => say(loaded('useractioncomplete', { 21: true, 755: false })));
    timer(7).subscribe(() => say(loaded('cmpuishown', { 21: true })));
    timer(9).subscribe(() => say(loaded('useractioncomplete', { 755: true }, { tcString: 'D' })));
    expectObservable(fromTcf(pageOf({ __tcfapi: api })).pipe(map(words)), '^ 20ms !').toBe('-----a---b', {
      a: 'loaded true C 21',
      b: 'loaded true D 755',
    });
  });

  marble('knows which purposes have consent', ({ expectObservable }) => {
    const { api, say } = platformOf();
    const purposes = map(({ purposeConsent }: Tcf) => [1, 3, 4].filter(purposeConsent).join());
    timer(1).subscribe(() => say(loaded('tcloaded', { 21: true })));
    timer(3).subscribe(() => say(loaded('tcloaded', {}, { purpose: { consents: { 1: true, 3: 1, 4: false } } })));
    timer(5).subscribe(() => say(loaded('tcloaded', {}, { gdprApplies: false })));
    expectObservable(fromTcf(pageOf({ __tcfapi: api })).pipe(purposes), '^ 20ms !').toBe('-n-o-a', {
      n: '',
      o: '1',
      a: '1,3,4',
    });
  });

  const shown = tcStringOf({ vendors: [21, 755], disclosed: [755] });
  it.each<readonly [what: string, field: object | undefined, tcString: string, expected: readonly string[]]>([
    ['the field of the platform', { 10: true, 21: true, 755: false }, 'C', ['21']],
    ['the field before the string', { 21: true }, shown, ['21']],
    ['the string where the platform has no field', undefined, shown, ['755']],
    ['the string where the field says nothing', {}, shown, ['755']],
    ['an empty segment, which discloses nobody', {}, tcStringOf({ disclosed: [] }), []],
    ['nothing before TCF 2.3, which forbids nobody', {}, tcStringOf({ vendors: [21, 755] }), ['21', '755']],
    ['no flag but true', { 21: 1, 755: 'true' }, 'C', []],
  ])('takes a vendor for disclosed by %s', (_, disclosedVendors, tcString, expected) => {
    marbles(({ expectObservable }) => {
      const { api, say } = platformOf();
      const vendor = { consents: { 21: true, 755: true }, disclosedVendors };
      timer(1).subscribe(() => say(loaded('tcloaded', {}, { tcString, vendor })));
      expectObservable(fromTcf(pageOf({ __tcfapi: api })).pipe(map(words)), '^ 20ms !').toBe('-a', {
        a: ['loaded', 'true', tcString, ...expected].join(' '),
      });
    })();
  });

  it.each<readonly [what: string, restrictions: unknown, expected: string]>([
    ['forbids the purpose to it', { 3: { 21: 0 } }, '3'],
    ['wants legitimate interest', { 3: { 21: 2 } }, '3'],
    ['wants consent, which is needed anyway', { 3: { 21: 1 } }, ''],
    ['restricts others', { 3: { 755: 0 }, 12: { 21: 0 } }, ''],
    ['restricts several purposes', { 1: { 21: 0 }, 4: { 21: 2, 755: 1 } }, '1 4'],
    ['says what is no type of restriction', { 4: { 21: 'forbidden' } }, '4'],
    ['says nothing of it', { 3: {}, 4: null }, ''],
    ['has no restrictions', {}, ''],
    ['has none, in the form of a list', [], ''],
  ])('keeps a vendor from a purpose where the publisher %s', (_, restrictions, expected) => {
    marbles(({ expectObservable }) => {
      const { api, say } = platformOf();
      timer(1).subscribe(() => say(loaded('tcloaded', { 21: true }, { publisher: { restrictions } })));
      timer(3).subscribe(() => say(loaded('tcloaded', {}, { gdprApplies: false, publisher: { restrictions } })));
      expectObservable(fromTcf(pageOf({ __tcfapi: api })).pipe(map(restrictedOf(21))), '^ 20ms !').toBe('-a-b', {
        a: expected,
        b: '',
      });
    })();
  });

  it.each([[1], ['true'], [{}], [undefined], [null]])('takes no %p for consent', (consent) => {
    marbles(({ expectObservable }) => {
      const { api, say } = platformOf();
      timer(1).subscribe(() => say(loaded('tcloaded', { 21: consent })));
      expectObservable(fromTcf(pageOf({ __tcfapi: api })).pipe(map(words)), '^ 20ms !').toBe('-a', {
        a: 'loaded true C',
      });
    })();
  });

  marble('assumes consent where GDPR does not apply, and nothing where that is not said', ({ expectObservable }) => {
    const { api, say } = platformOf();
    timer(1).subscribe(() => say({ eventStatus: 'tcloaded', gdprApplies: false }));
    timer(3).subscribe(() => say({ eventStatus: 'tcloaded', gdprApplies: undefined }));
    expectObservable(fromTcf(pageOf({ __tcfapi: api })).pipe(map(words)), '^ 20ms !').toBe('-a-b', {
      a: 'loaded false  21 755',
      b: 'loaded true ',
    });
  });

  marble('takes no consent from fields that a page has added to all objects', ({ expectObservable }) => {
    const { api, say } = platformOf();
    timer(1).subscribe(() => {
      Object.assign(Object.prototype, { 755: true });
      try {
        say(loaded('tcloaded', { 21: true }));
      } finally {
        Reflect.deleteProperty(Object.prototype, '755');
      }
    });
    const answer$ = fromTcf(pageOf({ __tcfapi: api })).pipe(
      map((tcf) => {
        Object.assign(Object.prototype, { 755: true });
        try {
          return words(tcf);
        } finally {
          Reflect.deleteProperty(Object.prototype, '755');
        }
      }),
    );
    expectObservable(answer$, '^ 20ms !').toBe('-a', { a: 'loaded true C 21' });
  });

  marble('is aborted where the platform fails or throws', ({ expectObservable }) => {
    const { api, say } = platformOf();
    const broken = (): never => {
      throw new Error('of the page');
    };
    timer(1).subscribe(() => say({ eventStatus: 'tcloaded' }, false));
    const vendor = {
      get consents(): never {
        return broken();
      },
    };
    timer(3).subscribe(() => say({ eventStatus: 'tcloaded', vendor }));
    expectObservable(fromTcf(pageOf({ __tcfapi: api })).pipe(map(words)), '^ 20ms !').toBe('-a-a', {
      a: 'aborted true ',
    });
    expectObservable(fromTcf(pageOf({ __tcfapi: broken })).pipe(map(words)), '^ 20ms !').toBe('a', {
      a: 'aborted true ',
    });
  });

  it.each([[null], [undefined], [7], ['text'], [[]]])(
    'is aborted by %p without success, and waits on with it',
    (data) => {
      marbles(({ expectObservable }) => {
        const page = (success: boolean) =>
          pageOf({
            __tcfapi: (_: string, __: number, callback: Callback) =>
              void timer(1).subscribe(() => callback(data, success)),
          });
        expectObservable(fromTcf(page(false)).pipe(map(words)), '^ 20ms !').toBe('-a', { a: 'aborted true ' });
        expectObservable(fromTcf(page(true)).pipe(map(words)), '^ 20ms !').toBe('-');
      })();
    },
  );

  marble('finds a platform that comes late, and one that replaces its stub', ({ expectObservable, flush }) => {
    const { api, say, removed } = platformOf();
    const globals: Record<string, unknown> = {};
    const queued: Parameters<typeof api>[] = [];
    timer(320).subscribe(() => (globals['__tcfapi'] = (...call: Parameters<typeof api>) => queued.push(call)));
    timer(600).subscribe(() => {
      globals['__tcfapi'] = api;
      queued.forEach((call) => api(...call));
    });
    timer(700).subscribe(() => say(loaded('tcloaded', { 21: true })));
    expectObservable(fromTcf(pageOf(globals)).pipe(map(words)), '^ 800ms !').toBe('700ms a', {
      a: 'loaded true C 21',
    });
    flush();
    expect([queued.length, removed]).toEqual([1, [0]]);
  });

  marble(
    'stops listening: also the listener 0, and one whose stub had not answered when we went',
    ({ expectObservable, flush }) => {
      const first = platformOf();
      const late = platformOf();
      timer(1).subscribe(() => first.say(loaded('cmpuishown')));
      timer(30).subscribe(() => late.say(loaded('tcloaded')));
      expectObservable(fromTcf(pageOf({ __tcfapi: first.api })), '^ 20ms !').toBe('-');
      expectObservable(fromTcf(pageOf({ __tcfapi: late.api })), '^ 20ms !').toBe('-');
      flush();
      expect([first.removed, late.removed]).toEqual([[0], [0]]);
    },
  );

  marble('keeps what it has been told, whatever the platform does with its own', ({ expectObservable }) => {
    const { api, say } = platformOf();
    const vendor = { consents: { 21: true }, disclosedVendors: { 21: true } };
    const restrictions = { 3: { 21: 0 } };
    timer(1).subscribe(() => say(loaded('tcloaded', {}, { vendor, publisher: { restrictions } })));
    timer(2).subscribe(() => {
      vendor.consents[21] = vendor.disclosedVendors[21] = false;
      restrictions[3][21] = 1;
    });
    const said = map((tcf: Tcf) => `${words(tcf)}, restricted ${restrictedOf(21)(tcf)}`);
    expectObservable(fromTcf(pageOf({ __tcfapi: api })).pipe(delay(5), said), '^ 20ms !').toBe('------a', {
      a: 'loaded true C 21, restricted 3',
    });
  });
});
