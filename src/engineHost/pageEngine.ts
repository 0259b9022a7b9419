import { readTrusted } from '../engine/cohortEngine';
import type { ReadDefinition } from '../engine/language/canonicalLanguage';
import { ownData } from '../hardening/ownData';
import { partsAtHand } from './partsAtHand';
import { type Port, serve as serveAt } from './serve';

/**
 * Takes a definition of the bundle. The engine tells the clauses of a query apart by the fields that they have, and a
 * page can add such fields to all objects.
 */
export const read: ReadDefinition = (definition) => ownData(readTrusted(definition));

/** Serves the engine on the page. All of its parts are in the same chunk. */
export const serve = (port: Port): (() => void) => serveAt(port, partsAtHand, read);

// The inspector runs the engine on a store and a clock of its own, with these parts.
export { askPage } from './ask';
export { engineHost } from './engineHost';
export { partsAtHand } from './partsAtHand';
export { bundle } from '@project/queries';
