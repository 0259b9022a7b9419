import type { Unclobbered } from '../hardening/unclobbered';
import { trustedScript } from './trustedTypes';

/** A script element with the marks that the wrapped script leaves: that it ran, and what it threw. */
type Marked = HTMLScriptElement & { ran?: boolean; thrown?: readonly [unknown] };

/** The script that runs, past elements with that name. */
const running = 'Reflect.get(Document.prototype,"currentScript",document)';

/**
 * Runs scripts in the page by a script element with `ownNonce`, never by `eval`. Where our own script has none, because
 * another script has added it, the nonce is that of the first script that has one. Returns
 * false where the page's policy refuses. What a script throws is thrown here, and the page's `onerror` hears none of
 * it. `var` and functions are global, `let` and `const` the script's own.
 */
export const runnerOfScripts =
  (window: Window, document: Unclobbered<Document>, ownNonce: string) =>
  (code: string): boolean => {
    let unreadable: Error | undefined;
    // A script that cannot be parsed gives an error event instead of running.
    const onError = (event: ErrorEvent): void => {
      event.preventDefault();
      event.stopImmediatePropagation();
      unreadable = new Error(event.message);
    };
    const script = document.createElement('script') as Marked;
    script.nonce = (ownNonce || document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce) ?? '';
    try {
      // On one line, so that line numbers stay those of the publisher's script. The mark `ran` is the only sign in time
      // that a policy has not refused the script, and `try` is needed because a page's `onerror` is asked before any
      // listener of the SDK.
      script.text = trustedScript(`${running}.ran=!0;try{${code}\n}catch(e){${running}.thrown=[e]}`);
    } catch {
      // Trusted types are required, and the SDK's policy is not among those that are allowed.
      return false;
    }
    window.addEventListener('error', onError, true);
    try {
      document.documentElement.append(script);
    } finally {
      window.removeEventListener('error', onError, true);
      script.remove();
    }
    if (unreadable) throw unreadable;
    if (script.thrown) throw script.thrown[0];
    return script.ran === true;
  };
