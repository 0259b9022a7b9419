/** A page object for tests of code that uses the SDK: `permutive-web-sdk/testing`. */
export type { LoadedPermutive } from '../page/loadedPermutive';
export type { FakeOptions, FakeStage } from './fakeOptions';
export type { FakeCall } from './fakePage';
export { type FakePermutive, fakePermutive } from './fakePermutive';
