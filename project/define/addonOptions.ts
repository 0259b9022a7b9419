import type { OptionsByAddon } from '../../src/addons/addonList';
import type { platforms } from '../unknownNames';

/** Options that each addon takes in a definition. */
export interface CommonOptions {
  /** The page script starts the addon; the default of most addons. */
  readonly auto_init?: boolean;
  /** Purposes of the TCF that the addon needs, 1 to 11. */
  readonly tcf_purposes?: readonly number[];
}

/** A place of a bid request where Prebid's next module `permutive` may write cohorts. */
type PrebidLocation =
  | { readonly path: 'user.data'; readonly name: string; readonly ext?: Readonly<Record<string, unknown>> }
  | { readonly path: 'user.keywords' | 'user.ext.data' | 'site.ext.permutive'; readonly key: string };

/** By category of cohorts, ids of locations: those of the definition, and those that the module has. */
type PrebidPlacement = Readonly<Partial<Record<'standard' | 'dcr' | 'curated' | 'clm' | 'custom', readonly string[]>>>;

type PrebidBidder = {
  /** The key of local storage that has the bidder's own cohorts as a list. */
  readonly customCohorts?: { readonly source: 'ls'; readonly key: string; readonly path?: string };
  readonly placement?: PrebidPlacement;
};

/** Where an identity is found: at a url, by a function of the page, in a cookie or in a global of the page. */
export interface IdentityProviderOptions {
  readonly url?: string;
  readonly method?: 'GET' | 'POST';
  readonly field?: string;
  readonly call?: string;
  readonly cookie?: string;
  readonly global?: string;
  readonly tcf_vendor_id?: number;
  readonly tcf_purposes?: readonly number[];
  readonly partner?: string;
  readonly publisherId?: string;
  readonly apiKey?: string;
}

/** The options of an addon, as a definition gives them. */
type GivenOptions<Read> = CommonOptions & { readonly [Name in keyof Read]?: Exclude<Read[Name], undefined> };

type ListedOptions = { readonly [Name in keyof OptionsByAddon]: GivenOptions<OptionsByAddon[Name]> };

/**
 * The options of each addon that a definition may name. A project with addons of its own adds their options:
 * `declare module 'permutive-web-sdk/project' { interface AddonOptions { my_addon: { key?: string } } }`.
 */
export interface AddonOptions extends ListedOptions {
  // A definition has no functions and no elements.
  web: GivenOptions<Omit<OptionsByAddon['web'], 'completion' | 'filterPermutiveEvent'>>;
  ctv: GivenOptions<Omit<OptionsByAddon['ctv'], 'element'>>;
  // Prebid's module reads these options, and the addon hands them on as they are.
  prebid: ListedOptions['prebid'] & {
    readonly locations?: Readonly<Record<string, PrebidLocation>>;
    readonly placement?: PrebidPlacement;
    readonly bidders?: Readonly<Record<string, PrebidBidder>>;
  };
  identity_manager: CommonOptions & {
    /** By tag, where more identities of the visitor are found. */
    readonly providers?: Readonly<Record<string, IdentityProviderOptions>>;
  };
  contextual: CommonOptions;
  second_party: CommonOptions;
  secure_signal: CommonOptions;
}
/** An addon that a definition may name. */
export type AddonName = keyof AddonOptions;

/** A platform that gets codes of cohorts: an addon, or one that has a list only. */
export type Platform = (typeof platforms)[number] | Exclude<AddonName, 'rubicon'>;
