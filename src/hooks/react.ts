/** The SDK in React components: `permutive-web-sdk/react`. */
export type { Stage } from '../model/pageContext';
export type {
  CohortCode,
  CohortGroup,
  EventName,
  IdentityTuple,
  Permutive,
  PropertiesOf,
  TrackOptions,
} from '../page/permutive';
export { type ConsentControl, type Track, useConsent, useIdentify, useTrack } from './callHooks';
export type { PagePermutive } from './pageCall';
export { PermutiveProvider, type PermutiveProviderProps } from './PermutiveProvider';
export { useActivation, useCohort, useCohorts, useReady } from './stateHooks';
