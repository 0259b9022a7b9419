import { workspaceId } from '@project/settings';

import { hashes } from './bundleHashes';
import type { Unclobbered } from './hardening/unclobbered';
import { asksForCheck } from './nativesCheck';
import { bundleFiles } from './platform/bundleFiles';
import { ownScript } from './platform/ownScript';

// Before any other module of the gate runs. The build catches what is thrown, and says nothing of this.
if (
  asksForCheck(() => {
    const script = ownScript(window.document as Unclobbered<Document>);
    // Without an address of its own, the script finds no other file: any other address could be an attacker's.
    return script.base === undefined
      ? undefined
      : { script, file: bundleFiles(script.base, script, `${workspaceId}-web`, hashes)('natives') };
  })
)
  // oxlint-disable-next-line typescript/only-throw-error -- not an error: the gate ends here
  throw undefined;
