import type { HandOver } from './handOver';
import { asksForCheck } from './nativesCheck';

// Before any other module of the main part runs: the page may have replaced natives since the gate has looked. The
// build catches what is thrown, and says nothing of this.
if (
  asksForCheck(({ handOver }) => {
    const { script, fileOf } = handOver as HandOver;
    return { script, file: fileOf('natives') };
  })
)
  // oxlint-disable-next-line typescript/only-throw-error -- not an error: the main part ends here
  throw undefined;
