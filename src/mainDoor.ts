import type { HandOver } from './handOver';
import type { WaitingElement } from './natives/checkElement';
import { orNone } from './primitives/orNone';

// Before any other module of the main part does anything: the page may have replaced natives since the gate has looked.
// An element of the page that hides the running script has no such function. The build catches what is thrown, and says
// nothing of this.
const handOver = orNone(
  () => (window.document.currentScript as WaitingElement | null)?.handOver as Partial<HandOver> | undefined,
);
if (handOver?.asksForCheck?.()) {
  handOver.waitFor?.('Loading the check of replaced natives');
  // oxlint-disable-next-line typescript/only-throw-error -- not an error: the main part ends here
  throw undefined;
}
