import type { AddonDeps, CommonDeps } from '../addons/addon';
import { NoJson } from '../hardening/json';
import { codesFor, codesOf } from '../model/cohorts';
import { readNote, writeNote } from '../model/notes';
import { eraseCookie, writeCookie } from '../streams/visitor/userId';
import type { VisitPage } from './visitParts';
import type { World } from './world';

/**
 * Makes the functions by which addons read and change the world. The functions are the same for all addons of a visit.
 */
export const addonDeps = (world: World, { context, moments }: Pick<VisitPage, 'context' | 'moments'>): CommonDeps => {
  const { page, local, project, setting, json, report } = world;
  const readKey: AddonDeps['readKey'] = (key) => {
    const value = json.parse(local.read(key) ?? 'null');
    return value === NoJson ? null : value;
  };
  const writeKey: AddonDeps['writeKey'] = (key, value) => void local.write(key, json.stringify(value));
  return {
    report,
    context: () => ({ ...context().client }),
    now: world.now,
    yieldThread: world.yieldThread,
    isVisible: () => !page.hidden(),
    scrollDepth: page.scrollDepth,
    visitor: () => {
      const { user_id, view_id } = context();
      return {
        userId: user_id,
        viewId: view_id,
        // `projectId` is the older name of the setting.
        workspaceId: setting('workspaceId') || setting('projectId') || project.workspaceId,
        sdkType: setting('sdkType'),
      };
    },
    codesFor: (platformName, cohorts) => codesFor(platformName, cohorts, project),
    codesOf: (ids) => codesOf(ids, project),
    recall: (name) => readNote(name, world),
    remember: (name, value) => writeNote(name, value, world),
    readKey,
    writeKey,
    loadPixel: world.loadPixel,
    runScript: world.runScript,
    openLayer: world.openLayer,
    writeCookie: (name, value) => {
      const text = Array.isArray(value) ? value.map((item) => json.stringify(item)) : json.stringify(value);
      // An older cookie would say for months what is not true any more.
      if (!writeCookie(name, text, world)) eraseCookie(name, world);
    },
    forget: (name) => {
      local.remove(name);
      eraseCookie(name, world);
    },
    random: world.random,
    setting,
    address: page.url,
    isViewOver: moments.isOver,
    origin: () => new URL(page.url()).origin,
    adIn: page.adIn,
    global: page.global,
  };
};
