/** What an addon that lives outside this project is made of, and what it is tried with. */
export { dueActivations } from '../addons/activations/dueActivations';
export type { Addon, AddonDeps, AddonStreams } from '../addons/addon';
export { vendorConsent } from '../consent/vendorConsent';
export { type Activation, reaction, activationText as textOf } from '../model/activation';
export type { Cohorts } from '../model/cohorts';
export type { Event, EventDraft } from '../model/event';
export { poll } from '../operators/creators/poll';
export { isolate } from '../operators/isolate';
export type { AddonCheck } from './addonCheck';
export { type AddonFault, faultText } from './addonFault';
export { checkAddon } from './checkAddon';
