import { changeBundle } from './support/changedBundle';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

/** A GPP platform as the IAB describes it: the callback hears its registration, and each change of the signal. */
const installGpp = (visitor: Visitor, usnat: object): Promise<unknown> =>
  visitor.page.addInitScript((section) => {
    const listeners: ((event: object, success: boolean) => void)[] = [];
    const pingData = (isReady: boolean) => ({
      gppVersion: '1.1',
      cmpStatus: isReady ? 'loaded' : 'loading',
      cmpDisplayStatus: 'hidden',
      signalStatus: isReady ? 'ready' : 'not ready',
      supportedAPIs: ['7:usnat'],
      sectionList: [7],
      applicableSections: [7],
      gppString: 'DBABLA~BVQVAAAAAg',
      parsedSections: isReady ? { usnat: [section, { GpcSegmentType: 1, Gpc: false }] } : {},
    });
    const tell = (listenerId: number, eventName: string, data: unknown, isReady: boolean): void =>
      listeners[listenerId]?.({ eventName, listenerId, data, pingData: pingData(isReady) }, true);
    Object.assign(window, {
      __gpp: (command: string, callback: (event: object, success: boolean) => void) => {
        if (command !== 'addEventListener') return;
        const id = listeners.push(callback) - 1;
        tell(id, 'listenerRegistered', true, false);
        setTimeout(() => tell(id, 'signalStatus', 'ready', true), 50);
      },
    });
  }, usnat);

describe('A visitor who shares nothing', () => {
  const stage = stageForTests();

  /** Opens a page of a project whose visitors all have a pixel. */
  const opened = async (prepare: (visitor: Visitor) => Promise<unknown>): Promise<readonly string[]> => {
    const visitor = await stage.visitor();
    const asked: string[] = [];
    await visitor.page.route('https://pixel.northfield.example/**', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ status: 204 });
    });
    await prepare(visitor);
    await changeBundle(visitor.page, {
      deferred: (text) => text.replace(/sc:20601,tt:"OnEntry",c:\{pixel_url/, 'sc:20401,tt:"OnEntry",c:{pixel_url'),
    });
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await stage.untilQuiet();
    // The publisher's own cohorts stay.
    expect(await visitor.ask((permutive) => permutive.segments())).toContain(20401);
    return asked;
  };

  test('by Global Privacy Control: no pixel, own cohorts', async () => {
    const asked = await opened(({ page }) =>
      page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })),
    );
    expect(asked).toEqual([]);
  });

  test('by GPP: no pixel, own cohorts', async () => {
    const asked = await opened((visitor) =>
      installGpp(visitor, { Version: 1, SaleOptOut: 1, SharingOptOut: 1, TargetedAdvertisingOptOut: 1 }),
    );
    expect(asked).toEqual([]);
  });

  test('is not one who has not opted out by GPP', async () => {
    const asked = await opened((visitor) =>
      installGpp(visitor, { Version: 1, SaleOptOut: 2, SharingOptOut: 2, TargetedAdvertisingOptOut: 0 }),
    );
    await until(() => asked.length > 0 || undefined, 'the pixel');
  });
});
