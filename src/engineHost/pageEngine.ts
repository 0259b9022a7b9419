import { type Port, serve as serveAt } from './serve';

/** Serves the engine on the page, in one piece: a chunk that came later would miss what happens meanwhile. */
export const serve = (port: Port): (() => void) => serveAt(port, () => import(/* webpackMode: "eager" */ './services'));
