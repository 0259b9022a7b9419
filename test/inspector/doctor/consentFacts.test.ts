import { fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { json } from '../../../src/hardening/plainJson';
import { consentFacts } from '../../../src/inspector/doctor/consent';
import type { World } from '../../../src/visit/world';
import { settingsOf } from '../../support/settings';
import { type Decision, tcStringOf } from '../../support/tcString';

interface Call {
  readonly command: string;
  readonly callId: string;
}

/** A frame in a window that has these locators, and answers a command with what is said here; others with nothing. */
const framed = (locators: readonly string[], answers: Readonly<Record<string, unknown>> = {}, own: object = {}) => {
  const outer = {
    frames: Object.fromEntries(locators.map((name) => [`${name}Locator`, {}])),
    postMessage: (message: Readonly<Record<string, Call>>): void => {
      const [[key, { command, callId }]] = Object.entries(message) as [[string, Call]];
      const name = key.replace(/Call$/, '');
      if (name in answers)
        platform.fire('window', 'message', {
          source: outer,
          data: { [`${name}Return`]: { callId, success: true, returnValue: answers[name], command } },
        });
    },
  };
  const platform = fakePlatform({ globals: { window: { parent: Object.assign(outer, { parent: outer }) }, ...own } });
  return { platform, world: { ...platform, json, setting: settingsOf() } as unknown as World };
};

describe('consentFacts, in a frame', () => {
  it('are those of platforms in the window around it, which are asked by messages', async () => {
    const { world, platform } = framed(['__tcfapi', '__gpp', '__uspapi'], {
      __tcfapi: { cmpStatus: 'loaded', displayStatus: 'hidden' },
      __gpp: { cmpStatus: 'loaded', signalStatus: 'ready', parsedSections: { usnat: { SaleOptOut: 1 } } },
      __uspapi: { version: 1, uspString: '1YNN' },
    });
    expect(await consentFacts(world)).toMatchObject({
      tcf: 'decided',
      gpp: 'optedOut',
      usp: 'decided',
      around: ['the TCF', 'GPP', 'US Privacy'],
    });
    expect(platform.listening()).toEqual([]);
  });

  it('tell of locators that never answer', async () => {
    const { world } = framed(['__tcfapi', '__gpp']);
    expect(await consentFacts(world)).toMatchObject({
      tcf: 'silent',
      gpp: 'silent',
      usp: 'none',
      around: ['the TCF', 'GPP'],
    });
  });

  it('are those of its own window where it has the platform', async () => {
    const __tcfapi = (_: string, __: number, answer: (ping: object) => void): void =>
      answer({ cmpStatus: 'loaded', displayStatus: 'visible' });
    const { world } = framed(['__tcfapi'], {}, { __tcfapi });
    expect(await consentFacts(world)).toMatchObject({ tcf: 'undecided', around: [] });
  });

  it.each<readonly [disclosure: string, decision: Decision & { readonly gdprApplies?: boolean; readonly is?: string }]>(
    [
      ['unsaid', { vendors: [21] }],
      ['none', { vendors: [21], disclosed: [] }],
      ['some', { vendors: [21], disclosed: [21, 755] }],
      ['some', { disclosed: [1900] }],
      ['unasked', { disclosed: [21], gdprApplies: false }],
      ['unasked', { disclosed: [21], is: 'cmpuishown' }],
    ],
  )('say that the disclosure of vendors is %s by %p', async (disclosure, { gdprApplies, is, ...decision }) => {
    const removed: unknown[] = [];
    const __tcfapi = (
      command: string,
      _: number,
      answer: (data: unknown, success: true) => void,
      id?: unknown,
    ): void => {
      if (command === 'removeEventListener') removed.push(id);
      else if (command === 'ping') answer({ cmpStatus: 'loaded', displayStatus: 'hidden' }, true);
      else
        answer(
          {
            eventStatus: is ?? 'tcloaded',
            listenerId: 0,
            gdprApplies: gdprApplies ?? true,
            tcString: tcStringOf(decision),
          },
          true,
        );
    };
    const { world } = framed([], {}, { __tcfapi });
    expect(await consentFacts(world)).toMatchObject({ tcf: 'decided', disclosure });
    expect(removed).toEqual([0]);
  });

  it('are none without a locator', async () => {
    const { world } = framed([]);
    expect(await consentFacts(world)).toMatchObject({
      tcf: 'none',
      gpp: 'none',
      usp: 'none',
      around: [],
      disclosure: 'unasked',
    });
  });
});
