/** A rule that an addon has broken. */
export interface AddonFault {
  /** Name of the addon. */
  readonly addon: string;
  /** The rule, as a sentence. */
  readonly rule: string;
  /** What the addon did, with the effects by name. */
  readonly happened: string;
  /** What to change in the addon, as sentences. */
  readonly fix: string;
}

/** What every addon must keep to, each rule with what its author can do. */
export const addonRules = {
  options: {
    rule: 'Options never throw.',
    fix: 'Take whatever the page gives, report what is wrong with it to `onFault`, and fall back to the default.',
  },
  start: {
    rule: 'An addon does nothing before it is started.',
    fix: 'Begin all effects with an emission of `options$`.',
  },
  stop: {
    rule: 'An addon does nothing after it was stopped, and leaves no subscription behind.',
    fix: 'Do not subscribe. Return one stream that contains all others, and let `finalize` do no more than remove.',
  },
  consent: {
    rule: 'An addon does nothing once the visitor’s consent is gone.',
    fix: 'Do not subscribe, and keep no timer outside the stream that `run` returns.',
  },
  restart: {
    rule: 'An addon that is started twice does no more than one that is started once.',
    fix: 'Use `take(1)`, `switchMap` or `exhaustMap` on `options$`.',
  },
  errors: {
    rule: 'An addon never throws, also where an effect throws.',
    fix: 'Put `isolate` on the stream that has the effect.',
  },
  beforeVendor: {
    rule: 'Before its vendor has consent, an addon requests, runs, stores, opens and calls nothing.',
    fix: 'Wait for `vendorConsent(streams.tcf$, ID)` before each effect. A consent platform that has not answered yet is no consent.',
  },
  afterVendor: {
    rule: 'Once the consent for its vendor is withdrawn, an addon requests, runs, stores, opens and calls nothing.',
    fix: 'Use `switchMap` on `vendorConsent(streams.tcf$, ID)`, so that its `false` ends what its `true` has begun.',
  },
  hosts: {
    rule: 'An addon asks no host that the project definition does not name.',
    fix: 'Take the address from an activation, an option or a setting.',
  },
  startTime: {
    rule: 'The start of an addon keeps the page’s thread only for a moment.',
    fix: 'Do what takes long later, in parts, after `deps.yieldThread()`.',
  },
} as const satisfies Readonly<Record<string, Pick<AddonFault, 'rule' | 'fix'>>>;

/** Name of a rule. */
export type AddonRule = keyof typeof addonRules;

/** A fault as one line of text. */
export const faultText = ({ addon, rule, happened, fix }: AddonFault): string =>
  `${addon}: ${rule} It ${happened}. ${fix}`;
