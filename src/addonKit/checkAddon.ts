import type { AnyAddon } from '../addons/addon';
import type { AddonCheck } from './addonCheck';
import { eventsMs, playVisit, startMs } from './playVisit';

/**
 * Plays visits with an addon and says what is wrong with it, one sentence a fault. The list is empty where the addon
 * keeps all the rules: it does nothing before it is started, nothing after it was stopped and nothing once consent is
 * gone; it leaves no subscription behind; it does as much when it is started twice as when it is started once; it
 * survives effects that throw, and never throws itself. The visits run in virtual time and need no test runner. Never
 * throws.
 *
 *     expect(checkAddon(myAddon, { config: { pixel_url: 'https://partner.example/p' } })).toEqual([]);
 */
export const checkAddon = (addon: AnyAddon, trial: AddonCheck = {}): readonly string[] =>
  [
    ...optionsFaults(addon),
    ...unstartedFaults(addon, trial),
    ...stoppedFaults(addon, trial),
    ...consentFaults(addon, trial),
    ...restartFaults(addon, trial),
    ...failureFaults(addon, trial),
  ].map((fault) => `${addon.name}: ${fault}`);

/** The fault in a list; an empty list where `holds` is true. */
const unless = (holds: boolean, fault: string): readonly string[] => (holds ? [] : [fault]);

/** `options` must accept whatever a page gives it, objects without a prototype included. */
const optionsFaults = (addon: AnyAddon): readonly string[] =>
  [undefined, null, 7, 'text', [], {}, Object.create(null) as unknown, { [addon.name]: () => undefined }].flatMap(
    (input) => {
      try {
        addon.options(input, () => undefined);
        return [];
      } catch {
        return [`options throws for ${typeof input}`];
      }
    },
  );

/** An addon that is never started must not act, unless it is said to serve unstarted. */
const unstartedFaults = (addon: AnyAddon, trial: AddonCheck): readonly string[] => {
  const { effects } = playVisit(addon, trial, { starts: [] });
  return unless(
    trial.servesUnstarted === true || effects.length === 0,
    `acts before it is started: ${effects.join(', ')}`,
  );
};

/** A whole visit: nothing may throw, and after the stop nothing may act or stay subscribed. */
const stoppedFaults = (addon: AnyAddon, trial: AddonCheck): readonly string[] => {
  const { thrown, left, late } = playVisit(addon, trial, { starts: [startMs] });
  return [
    ...unless(thrown === undefined, 'throws'),
    ...unless(left.length === 0, `leaves behind when it is stopped: ${left.join(', ')}`),
    ...unless(late.length === 0, `acts after it was stopped: ${late.join(', ')}`),
  ];
};

/** Without consent the runtime unsubscribes from the addon, here before anything has happened on the page. */
const consentFaults = (addon: AnyAddon, trial: AddonCheck): readonly string[] => {
  const { late, left } = playVisit(addon, trial, { starts: [startMs], stopMs: eventsMs - 1 });
  return [
    ...unless(late.length === 0, `acts without consent: ${late.join(', ')}`),
    ...unless(left.length === 0, `leaves behind when consent goes: ${left.join(', ')}`),
  ];
};

/** A second start must not double effects. They are compared in any order, because it may shift them. */
const restartFaults = (addon: AnyAddon, trial: AddonCheck): readonly string[] => {
  const effectsOf = (starts: readonly number[]): string =>
    [...playVisit(addon, trial, { starts }).afterStart].sort().join(', ');
  const once = effectsOf([startMs]);
  const twice = effectsOf([startMs, startMs + 100]);
  return unless(once === twice, `started twice, does ${twice || 'nothing'} where once is ${once || 'nothing'}`);
};

/** The whole visit again, with effects that throw. The addon must let none of these errors through. */
const failureFaults = (addon: AnyAddon, trial: AddonCheck): readonly string[] => {
  const { thrown, left } = playVisit(addon, trial, { starts: [startMs], failing: true });
  return [
    ...unless(thrown === undefined, 'throws where an effect throws'),
    ...unless(left.length === 0, `leaves behind where an effect throws: ${left.join(', ')}`),
  ];
};
