import { trusted } from './trustedTypes';

type Marked = HTMLScriptElement & { ran?: boolean; thrown?: readonly [unknown] };

/**
 * Runs scripts in the page by a script element with the nonce of our own script, never by `eval`. Returns
 * false where the page's policy refuses. What a script throws is thrown here, and the page's `onerror` hears none of
 * it. `var` and functions are global, `let` and `const` the script's own.
 */
export const scriptRunner = (window: Window): ((code: string) => boolean) => {
  const { document } = window;
  // Known only while our own script is being run.
  const nonce = document.currentScript?.nonce;
  return (code) => {
    let unreadable: Error | undefined;
    // What cannot even be parsed.
    const onError = (event: ErrorEvent): void => {
      event.preventDefault();
      event.stopImmediatePropagation();
      unreadable = new Error(event.message);
    };
    const script = document.createElement('script') as Marked;
    script.nonce = nonce ?? document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
    try {
      // On the same line: line numbers stay the publisher's. A policy that refuses the script gives no other sign in
      // time, and a page's `onerror` is asked before any listener of ours.
      script.text = trusted(
        'createScript',
        `document.currentScript.ran=!0;try{${code}\n}catch(e){document.currentScript.thrown=[e]}`,
      );
    } catch {
      // Trusted types are required, and ours are not among those that are allowed.
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
};
