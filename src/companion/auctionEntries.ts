import { localKeys } from '../model/storageKeys';
import { siteName } from '../primitives/domain';
import { guarded } from './guarded';
import { storedEntries } from './storedEntries';

/** A list of segments in OpenRTB. */
interface DataList {
  readonly name?: unknown;
  readonly ext?: { readonly segtax?: unknown };
  readonly segment?: unknown;
}

interface Ortb2 {
  readonly user?: { readonly data?: readonly (DataList | null)[] };
}

interface PrebidBuild {
  readonly que: { readonly unshift: (command: () => void) => unknown };
  readonly onEvent: (type: 'requestBids', listener: () => void) => unknown;
  readonly getConfig: (topic: 'ortb2') => Ortb2 | undefined;
  readonly setConfig: (config: { readonly ortb2: Ortb2 }) => unknown;
}

/** Where each build of Prebid announces its name as it loads, before it runs what its queue holds. */
declare const window: { _pbjsGlobals?: string[] };

const sortedText = (lists: readonly (DataList | null)[]): string =>
  lists
    .map((list) => JSON.stringify(list))
    .sort()
    .join();

/**
 * Says at the beginning of each auction of this build what the visitor's cohorts mean, before Prebid reads its
 * settings. Lists of others stay, also those of the page. `name`: the global that the build is under.
 */
const tellBuild = (name: string): void => {
  const build = (): PrebidBuild => (window as unknown as Readonly<Record<string, PrebidBuild>>)[name] as PrebidBuild;
  const site = siteName(location.hostname);
  let told: Readonly<Record<string, unknown>> = {};
  const tell = guarded(() => {
    const entries = storedEntries(localKeys.prebidData);
    const { user, ...others } = build().getConfig('ortb2') ?? {};
    const before = user?.data ?? [];
    const isOurs = (list: DataList | null): boolean =>
      list?.name === site && `${list.ext?.segtax as number}` in { ...told, ...entries };
    const data = [
      ...before.filter((list) => !isOurs(list)),
      ...Object.entries(entries).map(([segtax, ids]) => ({
        name: site,
        ext: { segtax: Number(segtax) },
        segment: ids.map((id) => ({ id })),
      })),
    ];
    told = entries;
    if (sortedText(data) !== sortedText(before)) build().setConfig({ ortb2: { ...others, user: { ...user, data } } });
  });
  // The page's commands may begin an auction.
  build().que.unshift(guarded(() => build().onEvent('requestBids', tell)));
};

/**
 * Says to each build of Prebid what the visitor's cohorts mean, as it is stored at each auction. The addon
 * `prebid_data` says the same once the SDK has come, and takes it back at a refusal.
 *
 * Prebid 11.36 (`src/prebidGlobal.ts`, `src/prebid.ts`, read on 2026-11-30) announces a build before the commands of
 * its queue run, and tells of `requestBids` before it reads `ortb2`.
 */
export const auctionEntries = guarded(() => {
  const builds = (window._pbjsGlobals ??= []);
  const { push } = builds;
  const announce = (...names: readonly string[]): number => {
    for (const name of names) guarded(() => tellBuild(name))();
    return push.apply(builds, [...names]);
  };
  // Who goes through the list by its keys finds names alone.
  Object.defineProperty(builds, 'push', { value: announce, writable: true, configurable: true });
});
