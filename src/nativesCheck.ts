import type { CheckElement, WaitingElement } from './natives/checkElement';
import { hasReplacedNatives } from './natives/replaced';
import type { BundleFile } from './platform/bundleFiles';
import type { OwnScript } from './platform/ownScript';
import { scriptElement } from './platform/scriptElement';
import { warn } from './platform/warn';

/** The file that checks the natives. */
interface Check {
  readonly script: Pick<OwnScript, 'nonce'>;
  readonly file: BundleFile;
}

/**
 * Loads the file that checks the natives, where the page has replaced some, and answers whether it was asked for. The
 * file runs the script that asks again, or says what does not work. Nothing can be checked where the page has no
 * element of the running script, or where its policy refuses the address of another one.
 *
 * @param checkFor - Finds the file, and what the page says of the gate's element; undefined where there is none. Is
 *   given the running element.
 */
export const asksForCheck = (checkFor: (running: WaitingElement) => Check | undefined): boolean => {
  if (!hasReplacedNatives(window)) return false;
  try {
    // An element of the page that hides this member is no script.
    const { currentScript } = window.document;
    if (!(currentScript instanceof HTMLScriptElement)) return false;
    const waiting: WaitingElement = currentScript;
    if (waiting.areNativesChecked === true) return false;
    const found = checkFor(waiting);
    if (!found) return false;
    const check = scriptElement(window.document, found.script, found.file) as CheckElement;
    check.waiting = waiting;
    check.onerror = () => warn('Loading the check of replaced natives failed');
    window.document.head.appendChild(check);
    return true;
  } catch {
    return false;
  }
};
