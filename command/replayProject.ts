import { partsOf } from '../bundle/projectModules';
import type { BuildProject } from '../project/readProject';
import type { AnyAddon } from '../src/addons/addon';
import { addonList } from '../src/addons/addonList';
import { experimentOf, noExperiment } from '../src/contracts/experiment';
import { readTrusted } from '../src/engine/cohortEngine';
import { askPage } from '../src/engineHost/ask';
import { engineHost } from '../src/engineHost/engineHost';
import { partsAtHand } from '../src/engineHost/partsAtHand';
import type { ReplayProject } from '../src/inspector/replay/replayLog';
import * as late from '../src/visit/deferredParts';

/** A project as a replay runs it, with the addons that the build puts into the bundle. */
export const replayProject = async (built: BuildProject): Promise<ReplayProject> => {
  const { project, early, deferred, later, definition } = partsOf(built);
  const { controlGroup } = built.page;
  return {
    project,
    experiment: controlGroup ? experimentOf(controlGroup) : noExperiment,
    addons: await Promise.all(early.map(addonOf)),
    parts: {
      ...late,
      addons: await Promise.all(deferred.map(addonOf)),
      activations: later.activations,
      addonOptions: later.addons,
      definition,
    },
    engine: { askPage, bundle: built.bundle, engineHost, partsAtHand, read: readTrusted },
  };
};

const addonOf = async (name: string): Promise<AnyAddon> => {
  const { file, exported } = addonList[name]!;
  // In this form, because the bundler of the command finds by it which files may be meant.
  const module = (await import(`../src/addons/${file.replace('src/addons/', '')}`)) as Readonly<
    Record<string, AnyAddon>
  >;
  return module[exported]!;
};
