import { type Port, serve as serveAt } from './serve';

/** Serves the engine on the page. The services are in the same chunk. */
export const serve = (port: Port): (() => void) => serveAt(port, () => import(/* webpackMode: "eager" */ './services'));

// The inspector runs the engine on a store and a clock of its own, with these parts.
export { askPage } from './ask';
export { engineHost } from './engineHost';
export * as services from './services';
export { bundle } from '@project/queries';
