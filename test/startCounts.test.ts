import { asyncScheduler, config as rxjsConfig, map, Observable, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import { project } from '../demo/project/project';
import { dfp } from '../src/addons/googleAdManager/dfp';
import { web } from '../src/addons/web/web';
import { boot } from '../src/boot';
import { noExperiment } from '../src/contracts/experiment';
import { fakePlatform } from '../src/fakePlatform/fakePlatform';
import { json } from '../src/hardening/plainJson';
import { overriding } from '../src/streams/visitor/tabOverrides';
import { checkStart } from './support/checkStart';
import { lateParts, projectOf } from './support/project';
import { engineOf } from './support/world';

const settledMs = 10_000;

it('a start subscribes to no more streams than it did', () => {
  const subscribe = jest.spyOn(Observable.prototype, 'subscribe');
  const platform = fakePlatform({ yieldThread: () => timer(1) });
  const tag = {
    q: [
      { functionName: 'addon', arguments: ['web', { page: { type: 'article' } }] },
      { functionName: 'ready', arguments: [() => undefined] },
    ],
    config: {},
  };
  let firstTask = 0;
  new TestScheduler(() => undefined).run(({ flush }) => {
    const stop = boot({
      wasUnasked: false,
      closeWorker: () => undefined,
      waitFor: () => undefined,
      tag,
      project: projectOf({ addons: project.addons }),
      experiment: noExperiment,
      addons: [web, dfp],
      deferredAddons: [],
      loadDeferred: () => timer(100).pipe(map(() => lateParts())),
      overriding,
      json,
      warn: () => undefined,
      log: () => undefined,
      loadErrorReports: () => new Promise(() => undefined),
      fileOf: (name) => ({ url: `https://cdn.example/web.${name}.js`, integrity: '' }),
      loadInspector: () => new Promise(() => undefined),
      loadVitals: () => new Promise(() => undefined),
      platformOf: () => platform,
    });
    firstTask = subscribe.mock.calls.length;
    const at = (ms: number, act: () => void): void => void asyncScheduler.schedule(act, ms);
    at(50, () => engineOf(platform).initialise('7'));
    at(150, () => engineOf(platform).reachBarrier());
    at(settledMs, stop);
    flush();
  });
  const all = subscribe.mock.calls.length;
  subscribe.mockRestore();
  rxjsConfig.onUnhandledError = null;
  expect(platform.requests.map(({ url }) => url)).toContainEqual(expect.stringContaining('batch/events'));
  checkStart('streams', { subscriptions: [firstTask, all] });
});
