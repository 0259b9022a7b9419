/** What an addon that lives outside this project is made of, and what it is tried with. */
export type { Addon, AddonDeps, AddonStreams } from './addons/addon';
export { faultsOf, type Trial } from './addons/conformance';
export { type Activation, reaction, textOf } from './model/activation';
export type { Cohorts } from './model/cohorts';
export type { Event, EventDraft } from './model/event';
export { activations } from './operators/activations';
export { isolate } from './operators/isolate';
export { poll } from './operators/poll';
export { vendorConsent } from './operators/vendorConsent';
