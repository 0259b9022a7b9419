import { workspaceId } from '@project/settings';

import { hashes } from './bundleHashes';
import type { Unclobbered } from './hardening/unclobbered';
import type { CheckElement, WaitingElement } from './natives/checkElement';
import { hasReplacedNatives } from './natives/replaced';
import { bundleFiles } from './platform/bundleFiles';
import { ownScript } from './platform/ownScript';
import { scriptElement } from './platform/scriptElement';
import { warn } from './platform/warn';

/**
 * Loads the file that checks the natives, where the page has replaced some, and answers whether it was asked for. The
 * file runs the script that asks again, or says what does not work. Nothing can be checked where the page has no
 * element of the running script, or where its policy refuses the address of another one.
 */
export const asksForCheck = (): boolean => {
  if (!hasReplacedNatives(window)) return false;
  try {
    // An element of the page that hides this member is no script.
    const { currentScript } = window.document;
    if (!(currentScript instanceof HTMLScriptElement)) return false;
    const waiting: WaitingElement = currentScript;
    if (waiting.areNativesChecked === true) return false;
    const script = ownScript(window.document as Unclobbered<Document>);
    // Without an address of its own, the script finds no other file: any other address could be an attacker's.
    if (script.base === undefined) return false;
    const file = bundleFiles(script.base, script, `${workspaceId}-web`, hashes)('natives');
    const check = scriptElement(window.document, script, file) as CheckElement;
    check.waiting = waiting;
    check.onerror = () => warn('Loading the check of replaced natives failed');
    window.document.head.appendChild(check);
    return true;
  } catch {
    return false;
  }
};
