import { addons, lateAddons, project } from '@project/page';
import { boot } from './boot';
import { sdkVersion } from './model/clientContext';
import { messageOf } from './model/messageOf';
import { browserPlatform } from './platform/browser';
import { json } from './model/plainJson';
import { missingSupport } from './platform/support';
import { tagOf, take } from './tag';

const warn = (reason: string): void => console.warn(`Permutive was not initialized. ${reason}`);

const main = (): void => {
  const tag = tagOf((window as unknown as Record<string, unknown>)[windowKey]);
  if (tag === undefined) return warn("Can't find permutive tag on the page");
  const missing = missingSupport(window as unknown as Record<string, unknown>);
  if (missing !== undefined) return warn(missing);
  if (!take(tag, sdkVersion)) return;
  boot({
    tag,
    project,
    addons,
    lateAddons,
    loadLate: () => import(/* webpackChunkName: "late" */ '@project/late'),
    json,
    warn,
    log: (message, cause) => console.warn(`[permutive] ${message}`, cause),
    loadErrorReports: () => import(/* webpackChunkName: "errors" */ './sinks/errorReports'),
    loadVitals: () => import(/* webpackChunkName: "vitals" */ './pageMetrics'),
    platformOf: (report) =>
      browserPlatform(window, {
        workerUrls: ['worker.queries.js', 'worker.js'].map((file) => `${__webpack_public_path__}${project.workspaceId}-web.${file}`),
        loadOnPage: () => import(/* webpackChunkName: "engine" */ './pageEngine'),
        report,
      }),
  });
};

const windowKey = 'permutive';

// A browser that lacks what we took for granted must not tell the page's onerror.
try {
  main();
} catch (error) {
  warn(`Exception during initialisation. Got ${messageOf(error)}`);
}
