import type { AnyAddon } from '../addons/addon';
import { times } from '../primitives/lists';
import type { AddonCheck } from './addonCheck';
import { type AddonFault, type AddonRule, addonRules } from './addonFault';
import { type AddonEffect, effectsText } from './effect';
import { hostOfRequest, hostsInScript, namedHosts } from './namedHosts';
import { endMs, eventsMs, playVisit, startMs, stepMs } from './playVisit';
import { checkedOrigin, checkedSettings } from './recordingDeps';

/** A broken rule and what the addon did. */
type Found = readonly [rule: AddonRule, happened: string];

/**
 * Plays visits with an addon and says which rules it breaks, one fault each. The list is empty where the addon keeps
 * all of `addonRules`: it does nothing before it is started, nothing after it was stopped and nothing once consent is
 * gone; it leaves no subscription behind; it does as much when it is started twice as when it is started once; it
 * survives effects that throw, and never throws itself; it gives its vendor nothing without that vendor's consent; it
 * asks only hosts that the definition names; and its start is short. The visits run in virtual time and need no test
 * runner. Only the start is measured in real time, and the shortest of five counts. Never throws.
 *
 *     expect(checkAddon(myAddon, { config: { pixel_url: 'https://partner.example/p' } })).toEqual([]);
 */
export const checkAddon = (addon: AnyAddon, trial: AddonCheck = {}): readonly AddonFault[] =>
  [
    ...optionsFaults(addon),
    ...unstartedFaults(addon, trial),
    ...wholeVisitFaults(addon, trial),
    ...consentFaults(addon, trial),
    ...restartFaults(addon, trial),
    ...failureFaults(addon, trial),
    ...vendorFaults(addon, trial),
    ...startTimeFaults(addon, trial),
  ].map(([rule, happened]) => ({ addon: addon.name, ...addonRules[rule], happened }));

/** The fault in a list; an empty list where `holds` is true. */
const unless = (holds: boolean, rule: AddonRule, happened: string): readonly Found[] =>
  holds ? [] : [[rule, happened]];

/** The fault of effects that should not be; `when` says when they were. */
const unlessNone = (effects: readonly AddonEffect[], rule: AddonRule, when: string): readonly Found[] =>
  unless(effects.length === 0, rule, `did this ${when}: ${effectsText(effects)}`);

/** `options` must accept whatever a page gives it, objects without a prototype included. */
const optionsFaults = (addon: AnyAddon): readonly Found[] =>
  [undefined, null, 7, 'text', [], {}, Object.create(null) as unknown, { [addon.name]: () => undefined }].flatMap(
    (input) => {
      try {
        addon.options(input, () => undefined);
        return [];
      } catch {
        return [['options', `threw for ${input === null ? 'null' : typeof input}`] as const];
      }
    },
  );

/** An addon that is never started must not act, unless it is said to serve unstarted. */
const unstartedFaults = (addon: AnyAddon, trial: AddonCheck): readonly Found[] =>
  trial.servesUnstarted === true
    ? []
    : unlessNone(playVisit(addon, trial, { starts: [] }).effects, 'start', 'before it was started');

/** A whole visit: nothing may throw, ask a host that is not named, act after the stop or stay subscribed. */
const wholeVisitFaults = (addon: AnyAddon, trial: AddonCheck): readonly Found[] => {
  const { thrown, left, between, effects } = playVisit(addon, trial, { starts: [startMs] });
  return [
    ...unless(thrown === undefined, 'errors', 'threw'),
    ...unless(left.length === 0, 'stop', `was still subscribed to ${left.join(', ')}`),
    ...unlessNone(between(endMs + 1), 'stop', 'after it was stopped'),
    ...hostFaults(effects, trial),
  ];
};

/** Each host that was asked must stand in the options, the activations or the settings, or be the page's own. */
const hostFaults = (effects: readonly AddonEffect[], trial: AddonCheck): readonly Found[] => {
  const named = namedHosts(trial, checkedSettings(trial), checkedOrigin);
  const asked = effects.flatMap(({ kind, text }) =>
    kind === 'request' ? [hostOfRequest(text, checkedOrigin)] : kind === 'script' ? hostsInScript(text) : [],
  );
  const unnamed = [...new Set(asked)].filter((host) => !named.has(host));
  return unless(unnamed.length === 0, 'hosts', `asked ${unnamed.join(', ')}`);
};

/** Without consent the runtime unsubscribes from the addon, here before anything has happened on the page. */
const consentFaults = (addon: AnyAddon, trial: AddonCheck): readonly Found[] => {
  const { between, left } = playVisit(addon, trial, { starts: [startMs], stopMs: eventsMs - 1 });
  return [
    ...unlessNone(between(eventsMs), 'consent', 'after consent was withdrawn'),
    ...unless(left.length === 0, 'consent', `was still subscribed to ${left.join(', ')} after consent was withdrawn`),
  ];
};

/** A second start must not double effects. The effects are compared in any order, because it may shift them. */
const restartFaults = (addon: AnyAddon, trial: AddonCheck): readonly Found[] => {
  const effectsOf = (starts: readonly number[]): string =>
    playVisit(addon, trial, { starts })
      .between(eventsMs, endMs)
      .map(({ what }) => what)
      .sort()
      .join(', ');
  const once = effectsOf([startMs]);
  const twice = effectsOf([startMs, startMs + 100]);
  return unless(
    once === twice,
    'restart',
    `did ${twice || 'nothing'} when started twice, and ${once || 'nothing'} when once`,
  );
};

/** The whole visit again, with effects that throw. The addon must let none of these errors through. */
const failureFaults = (addon: AnyAddon, trial: AddonCheck): readonly Found[] => {
  const { thrown, left } = playVisit(addon, trial, { starts: [startMs], failing: true });
  return [
    ...unless(thrown === undefined, 'errors', 'threw where an effect threw'),
    ...unless(left.length === 0, 'errors', `was still subscribed to ${left.join(', ')} where an effect had thrown`),
  ];
};

/** Whether an effect hands something to a vendor. An event of our own is not, and a removal is the opposite. */
const handsOver = ({ kind }: AddonEffect): boolean => kind !== 'event' && kind !== 'removal';

/**
 * An addon that asks for a vendor's consent, or is said to need it, must do nothing while the platform has not answered
 * or refuses, and nothing once the consent is withdrawn. The consent is withdrawn before each thing that happens on the
 * page in turn, because each may be what makes the addon act.
 */
const vendorFaults = (addon: AnyAddon, trial: AddonCheck): readonly Found[] => {
  const starts = [startMs];
  const asked = playVisit(addon, trial, { starts }).vendors;
  if (asked.length === 0 && trial.vendorId === undefined) return [];
  const silent = playVisit(addon, trial, { starts, answers: [] });
  const refused = playVisit(addon, trial, { starts, answers: [{ atMs: 0, granted: false }] });
  const withdrawals = times(12, (step) => eventsMs + step * stepMs - stepMs / 2);
  const afterwards = withdrawals
    .map((withdrawnMs) =>
      playVisit(addon, trial, {
        starts,
        answers: [
          { atMs: 0, granted: true },
          { atMs: withdrawnMs, granted: false },
        ],
      })
        .between(withdrawnMs)
        .filter(handsOver),
    )
    .find((effects) => effects.length > 0);
  return [
    ...unlessNone(silent.effects.filter(handsOver), 'beforeVendor', 'before the consent platform had answered'),
    ...unlessNone(refused.effects.filter(handsOver), 'beforeVendor', 'while the consent was refused'),
    ...unlessNone(afterwards ?? [], 'afterVendor', 'after the consent was withdrawn'),
  ];
};

/** The shortest of five starts counts, because the machine may be busy with something else in the others. */
const startTimeFaults = (addon: AnyAddon, trial: AddonCheck): readonly Found[] => {
  const { startBudgetMs = 10 } = trial;
  const took = Math.min(...times(5, () => playVisit(addon, trial, { starts: [startMs] }).startTookMs));
  return unless(took <= startBudgetMs, 'startTime', `took ${Math.round(took)} ms, and ${startBudgetMs} ms are allowed`);
};
