/**
 * For tests of a publisher: a page object for code that uses the SDK, and visitors whose cohorts the engine computes.
 * `permutive-web-sdk/testing`.
 */
export type { LoadedPermutive } from '../page/loadedPermutive';
export type { FakeOptions, FakeStage } from './fakeOptions';
export type { FakeCall } from './fakePage';
export { type FakePermutive, fakePermutive } from './fakePermutive';
export type { TestedProject } from './testedProject';
export { type CohortExpectation, type Visitor, visitor, type VisitorData } from './visitor';
export type { PassedTime } from './visitorTime';
