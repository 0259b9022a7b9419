import { relative } from 'node:path';

import { addonNames } from '../../project/unknownNames';
import type { AddonCheck } from '../../src/addonKit/addonCheck';
import type { AnyAddon } from '../../src/addons/addon';
import type { ListedAddon } from '../../src/addons/addonList';
import type { ProjectDefinition } from '../../src/model/project';
import { typeFaults } from './addonTypes';
import { loadModules } from './loadModules';

/** Says what keeps addons from being built in, one line each. */
export class AddonError extends Error {
  override readonly name = 'AddonError';

  constructor(faults: readonly string[]) {
    super(`These addons cannot be built in:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  }
}

/** Addons of one build that are not in this project's list. */
export interface OutsideAddons {
  /** By name, as in the project's own list. */
  readonly listed: Readonly<Record<string, ListedAddon>>;
  /**
   * Tries each addon with its options and the config of each of its activations in the definition. Throws `AddonError`
   * with the rules that are broken.
   */
  readonly check: (page: Pick<ProjectDefinition, 'addons' | 'activations' | 'config'>) => void;
}

/** An addon and where it stands. */
interface FoundAddon {
  readonly file: string;
  readonly exported: string;
  readonly addon: AnyAddon;
}

/**
 * Reads the addons that the files export; all their exports that are addons count. Rejects with `AddonError` where the
 * types of a file are wrong, where a file has no addon or cannot be run in Node, and where a name is taken: by the
 * project's list, or by another of these addons.
 */
export const outsideAddons = async (files: readonly string[], root: string): Promise<OutsideAddons> => {
  refuse(typeFaults(files, root));
  const { exportsOf, checkAddon, faultText } = await loadModules(files, root).catch((error: unknown) => {
    throw new AddonError([error instanceof Error ? error.message : String(error)]);
  });
  const found = Object.entries(exportsOf).flatMap(([file, exports]) =>
    Object.entries(exports).flatMap(([exported, addon]) => (isAddon(addon) ? [{ file, exported, addon }] : [])),
  );
  const place = ({ file, exported }: Pick<FoundAddon, 'file' | 'exported'>): string =>
    `${relative(root, file)} (${exported})`;
  refuse([
    ...files
      .filter((file) => !found.some((one) => one.file === file))
      .map((file) => `${relative(root, file)}: expected an export with name, autoInit, options and run`),
    ...found.flatMap((one, i) => {
      const { name } = one.addon;
      const twin = found.slice(0, i).find(({ addon }) => addon.name === name);
      if (addonNames.includes(name)) return [`${place(one)}: the name ${name} is that of a built-in addon`];
      return twin === undefined ? [] : [`${place(one)}: the name ${name} is that of ${place(twin)}`];
    }),
  ]);
  return {
    listed: Object.fromEntries(found.map(({ addon, file, exported }) => [addon.name, { file, exported }])),
    check: (page) =>
      refuse(
        found.flatMap((one) =>
          trialsOf(one.addon.name, page)
            .flatMap((trial) => checkAddon(one.addon, trial))
            .map((fault) => `${place(one)}: ${faultText(fault)}`),
        ),
      ),
  };
};

const refuse = (faults: readonly string[]): void => {
  if (faults.length > 0) throw new AddonError([...new Set(faults)]);
};

const isAddon = (value: unknown): value is AnyAddon => {
  if (typeof value !== 'object' || value === null) return false;
  const { name, autoInit, options, run } = value as Readonly<Record<string, unknown>>;
  return (
    typeof name === 'string' &&
    typeof autoInit === 'boolean' &&
    typeof options === 'function' &&
    typeof run === 'function'
  );
};

/** One trial for each config of an activation; one without a config where there is no activation. */
const trialsOf = (
  name: string,
  { addons, activations, config }: Pick<ProjectDefinition, 'addons' | 'activations' | 'config'>,
): readonly AddonCheck[] => {
  const trial: AddonCheck = { options: addons[name] ?? {}, settings: config };
  const ofAddon = activations[name] ?? [];
  return ofAddon.length === 0 ? [trial] : ofAddon.map(({ c = {} }) => ({ ...trial, config: c }));
};
