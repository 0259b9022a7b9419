import type { AddonDeps, CommonDeps } from './addons/addon';
import { codesFor } from './model/cohorts';
import { NoJson } from './model/json';
import type { PageContext } from './model/signal';
import type { World } from './runtime';
import { eraseCookie, writeCookie } from './streams/userId';

/** What addons may do, made of the world. */
export const addonDeps = (world: World, context: () => PageContext): CommonDeps => {
  const { platform, project, setting, json, report } = world;
  const deps = { ...world, ...platform };
  const readKey: AddonDeps['readKey'] = (key) => {
    const value = json.parse(platform.local.read(key) ?? 'null');
    return value === NoJson ? null : value;
  };
  const writeKey: AddonDeps['writeKey'] = (key, value) => void platform.local.write(key, json.stringify(value));
  const misc = (): Readonly<Record<string, unknown>> => {
    const chunk = readKey(miscKey);
    return typeof chunk === 'object' && chunk !== null && !Array.isArray(chunk) ? { ...chunk } : {};
  };
  return {
    report,
    context: () => {
      const { client, view_id } = context();
      return { ...client, path: platform.page.path(), view_id };
    },
    now: platform.now,
    isVisible: () => !platform.page.hidden(),
    scrollDepth: platform.page.scrollDepth,
    visitor: () => {
      const { user_id, view_id } = context();
      return { userId: user_id, viewId: view_id, workspaceId: setting('workspaceId') || setting('projectId') || project.workspaceId, sdkType: setting('sdkType') };
    },
    codesFor: (platformName, cohorts) => codesFor(platformName, cohorts, project),
    recall: (name) => {
      const chunk = misc();
      return Object.hasOwn(chunk, name) ? chunk[name] : null;
    },
    // Read again at each write: other addons, and other tabs, keep theirs there too.
    remember: (name, value) => writeKey(miscKey, { ...misc(), [name]: value }),
    readKey,
    writeKey,
    openLayer: platform.openLayer,
    writeCookie: (name, value) => writeCookie(name, json.stringify(value), deps),
    forget: (name) => {
      platform.local.remove(name);
      eraseCookie(name, deps);
    },
    random: platform.random,
    setting,
    origin: () => new URL(platform.page.url()).origin,
    adIn: platform.page.adIn,
  };
};

/** The chunk of the local data store for whatever has no chunk of its own (contract: storage). */
const miscKey = 'permutive-data-misc';
