import bcd, { type CompatStatement, type Identifier, type SimpleSupportStatement } from '@mdn/browser-compat-data';

import type { Use } from './usedFeatures';

/** Browsers by their name in MDN's data and in browserslist. */
export const browsers = [
  { title: 'Chrome', mdn: 'chrome', list: 'chrome' },
  { title: 'Edge', mdn: 'edge', list: 'edge' },
  { title: 'Firefox', mdn: 'firefox', list: 'firefox' },
  { title: 'Safari', mdn: 'safari', list: 'safari' },
  { title: 'Safari on iOS', mdn: 'safari_ios', list: 'ios_saf' },
  { title: 'Samsung Internet', mdn: 'samsunginternet_android', list: 'samsung' },
] as const;

/** For each of `browsers` the first version with a feature; Infinity: none has it. */
export type Versions = readonly number[];

const firstVersion = (statements: readonly SimpleSupportStatement[]): number =>
  Math.min(
    ...statements
      .filter(({ flags, prefix, alternative_name: other }) => !flags && prefix === undefined && other === undefined)
      .map(({ version_added: version }) => {
        if (typeof version !== 'string' || version === 'preview') return Infinity;
        return Number.parseFloat(version.replace('≤', ''));
      }),
  );

const versionsOf = ({ support }: CompatStatement): Versions =>
  browsers.map(({ mdn }) => {
    const statement = support[mdn];
    return statement === undefined ? 0 : firstVersion(Array.isArray(statement) ? statement : [statement]);
  });

/** The data as a tree of names. */
const tree: Identifier = bcd.javascript;
const builtins: Identifier = tree['builtins'] ?? {};
const api: Identifier = bcd.api;
const statementAt = (root: Identifier | undefined, ...path: readonly string[]): CompatStatement | undefined =>
  path.reduce<Identifier | undefined>((at, name) => (at && Object.hasOwn(at, name) ? at[name] : undefined), root)
    ?.__compat;

/** A member of an interface, of its instances or of itself. */
const membersOf = (root: Identifier, owner: string, name: string): readonly CompatStatement[] =>
  [name, `${name}_static`].flatMap((each) => statementAt(root, owner, each) ?? []);

const inAnyInterface = (name: string): readonly CompatStatement[] =>
  [builtins, api].flatMap((root) => Object.keys(root).flatMap((owner) => membersOf(root, owner, name)));

/** Statements of MDN's data, one of which tells of this use; none: a name of the script's own. */
const statementsOf = (use: Use): readonly CompatStatement[] => {
  switch (use.kind) {
    case 'syntax': {
      const statement = statementAt(bcd.javascript, ...use.path.split('.'));
      if (statement === undefined) throw new Error(`MDN's data has no ${use.path}`);
      return [statement];
    }
    case 'global':
      return [builtins, api].flatMap((root) => statementAt(root, use.name) ?? []);
    case 'member':
      return [builtins, api].flatMap((root) => membersOf(root, use.owner, use.name));
    case 'called':
      return inAnyInterface(use.name);
  }
};

/** A feature's name, as the list of guarded features has it. */
export const nameOf = (use: Use): string => {
  if (use.kind === 'syntax') return use.path;
  return use.kind === 'member' ? `${use.owner}.${use.name}` : use.name;
};

/**
 * The versions that a use needs. The oldest interface with a member of that name counts where there are several,
 * because the script does not tell which it means.
 */
export const requirementOf = (use: Use): Versions | undefined => {
  const found = statementsOf(use).map(versionsOf);
  if (found.length === 0) return undefined;
  return browsers.map((_, i) => Math.min(...found.map((versions) => versions[i] ?? Infinity)));
};
