import type { AddonDeps } from './addons/addon';
import { codesFor } from './model/cohorts';
import { NoJson } from './model/json';
import type { PageContext } from './model/signal';
import type { World } from './runtime';
import { eraseCookie, writeCookie } from './streams/userId';

/** What addons may do, made of the world. */
export const addonDeps = (world: World, context: () => PageContext): Omit<AddonDeps, 'expose' | 'configured'> => {
  const { platform, project, setting, json, report } = world;
  const deps = { ...world, ...platform };
  return {
    report,
    now: platform.now,
    isVisible: () => !platform.page.hidden(),
    scrollDepth: platform.page.scrollDepth,
    visitor: () => {
      const { user_id, view_id } = context();
      return { userId: user_id, viewId: view_id, workspaceId: setting('workspaceId') || setting('projectId') || project.workspaceId, sdkType: setting('sdkType') };
    },
    codesFor: (platformName, cohorts) => codesFor(platformName, cohorts, project),
    readKey: (key) => {
      const value = json.parse(platform.local.read(key) ?? 'null');
      return value === NoJson ? null : value;
    },
    writeKey: (key, value) => void platform.local.write(key, json.stringify(value)),
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
