import type { AddonDeps, CommonDeps } from './addons/addon';
import { codesFor, codesOf } from './model/cohorts';
import { NoJson } from './model/json';
import { readMisc, writeMisc } from './model/miscChunk';
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
    codesOf: (ids) => codesOf(ids, project),
    recall: (name) => readMisc(name, deps),
    remember: (name, value) => writeMisc(name, value, deps),
    readKey,
    writeKey,
    loadPixel: platform.loadPixel,
    runScript: platform.runScript,
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
