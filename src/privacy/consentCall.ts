import { type Fields, isRecord } from '../codecs/codecs';

/** Whether an entry of the page's queue is a call of `permutive.consent`. The answer in it may be anything. */
export const isConsentCall = (queued: unknown): queued is Fields =>
  isRecord(queued) && queued['functionName'] === 'consent';
