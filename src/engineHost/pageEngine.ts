import { type Port, serve as serveAt } from './serve';

/**
 * Serves the engine on the page. The services are in the same chunk, because they must miss nothing while they load.
 */
export const serve = (port: Port): (() => void) => serveAt(port, () => import(/* webpackMode: "eager" */ './services'));
