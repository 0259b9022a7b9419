import { asksForCheck } from './nativesCheck';

// Before any other module of the gate runs. The build catches what is thrown, and says nothing of this.
if (asksForCheck())
  // oxlint-disable-next-line typescript/only-throw-error -- not an error: the gate ends here
  throw undefined;
