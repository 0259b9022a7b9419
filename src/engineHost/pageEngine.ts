import { type Port, serve as serveAt } from './serve';

/**
 * Serves the engine on the page. The services are in the same chunk, so their promise resolves before the next message
 * and they miss no effect.
 */
export const serve = (port: Port): (() => void) => serveAt(port, () => import(/* webpackMode: "eager" */ './services'));
