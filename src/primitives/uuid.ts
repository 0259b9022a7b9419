import { value } from '../codecs/codecs';

// The versions of RFC 9562, and the two ids that have none.
const anyUuid =
  /^(?:[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}|0{8}(?:-0{4}){3}-0{12}|f{8}(?:-f{4}){3}-f{12})$/i;
const uuid4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;

/** Whether an input is a UUID, as view ids and event-source ids are (spec C§5). */
export const isUuid = (input: unknown): input is string => typeof input === 'string' && anyUuid.test(input);
export const Uuid = /* @__PURE__ */ value<string>('UUID', isUuid);

/** Whether an input is a user id, which is a 36-character UUID version 4 (spec C§5). */
export const isUserId = (input: unknown): input is string => typeof input === 'string' && uuid4.test(input);
