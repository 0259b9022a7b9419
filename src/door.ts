import { workspaceId } from '@project/settings';

import { hashes } from './bundleHashes';
import type { Unclobbered } from './hardening/unclobbered';
import type { CheckElement, PageElement } from './natives/checkElement';
import { hasReplacedNatives } from './natives/replaced';
import { bundleFiles } from './platform/bundleFiles';
import { ownScript } from './platform/ownScript';
import { scriptElement } from './platform/scriptElement';

/**
 * Loads the file that checks the natives, and answers whether it was asked for. The file starts the page script again,
 * or says what does not work. Nothing can be checked where the page has no element of the page script, or where its
 * policy refuses the address of another one.
 */
const checksNatives = (): boolean => {
  try {
    // An element of the page that hides this member is no script.
    const { currentScript: pageScript } = window.document;
    if (!(pageScript instanceof HTMLScriptElement)) return false;
    if ((pageScript as PageElement).areNativesChecked === true) return false;
    const own = ownScript(window.document as Unclobbered<Document>);
    const file = bundleFiles(own, `${workspaceId}-web`, hashes)('natives');
    const check = scriptElement(window.document, own, file) as CheckElement;
    check.pageScript = pageScript;
    check.onerror = () => console.warn('Permutive was not initialized. Loading the check of replaced natives failed');
    window.document.head.appendChild(check);
    return true;
  } catch {
    return false;
  }
};

// Before any other module runs. The build catches what is thrown, and says nothing of this.
// oxlint-disable-next-line typescript/only-throw-error -- not an error: the page script ends here
if (hasReplacedNatives(window) && checksNatives()) throw undefined;
