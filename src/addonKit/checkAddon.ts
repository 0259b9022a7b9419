import type { AnyAddon } from '../addons/addon';
import type { AddonCheck } from './addonCheck';
import { eventsMs, playVisit, startMs } from './playVisit';

/**
 * Says what is wrong with an addon, one sentence a fault; the list is empty where it may run on strangers' phones. An
 * addon does nothing before it is started and nothing once consent is gone, leaves neither listener nor timer behind,
 * does as much when it is started twice as when it is started once, survives effects that throw, and never throws
 * itself. The check plays visits in virtual time and needs no test runner. It never throws.
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

/** The fault, unless that which should hold does. */
const unless = (holds: boolean, fault: string): readonly string[] => (holds ? [] : [fault]);

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

const unstartedFaults = (addon: AnyAddon, trial: AddonCheck): readonly string[] => {
  const { effects } = playVisit(addon, trial, { starts: [] });
  return unless(
    trial.servesUnstarted === true || effects.length === 0,
    `acts before it is started: ${effects.join(', ')}`,
  );
};

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

/** Effects are compared in any order, because the second start may shift them. */
const restartFaults = (addon: AnyAddon, trial: AddonCheck): readonly string[] => {
  const effectsOf = (starts: readonly number[]): string =>
    [...playVisit(addon, trial, { starts }).afterStart].sort().join(', ');
  const once = effectsOf([startMs]);
  const twice = effectsOf([startMs, startMs + 100]);
  return unless(once === twice, `started twice, does ${twice || 'nothing'} where once is ${once || 'nothing'}`);
};

const failureFaults = (addon: AnyAddon, trial: AddonCheck): readonly string[] => {
  const { thrown, left } = playVisit(addon, trial, { starts: [startMs], failing: true });
  return [
    ...unless(thrown === undefined, 'throws where an effect throws'),
    ...unless(left.length === 0, `leaves behind where an effect throws: ${left.join(', ')}`),
  ];
};
