import * as t from 'io-ts';
import { validate, version } from 'uuid';

/** Any UUID, as view ids and event-source ids are (spec C§5). */
export const Uuid = t.refinement(t.string, (id) => validate(id), 'UUID');

/** A user id is valid only as a 36-character UUID version 4 (spec C§5). */
export const UserId = t.refinement(t.string, (id) => validate(id) && version(id) === 4, 'UUID version 4');
