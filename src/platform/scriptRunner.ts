import { trusted } from './trustedTypes';

type Marked = HTMLScriptElement & { ran?: boolean };

/**
 * Runs scripts in the page as a script element would: with the nonce that our own script came with, never by `eval`. Answers
 * false where the page's policy refuses. What a script throws is thrown here, and the page's `onerror` hears none of it.
 */
export const scriptRunner = (window: Window): ((code: string) => boolean) => {
  const { document } = window;
  // Known only while our own script is being run.
  const nonce = document.currentScript?.nonce;
  return (code) => {
    let thrown: unknown;
    const onError = (event: ErrorEvent): void => {
      event.preventDefault();
      event.stopImmediatePropagation();
      thrown = event.error ?? new Error(event.message);
    };
    const script = document.createElement('script') as Marked;
    script.nonce = nonce ?? document.querySelector<HTMLScriptElement>('script[nonce]')?.nonce ?? '';
    try {
      // On the same line: line numbers stay the publisher's. A policy that refuses the script gives no other sign in time.
      script.text = trusted('createScript', `document.currentScript.ran=!0;${code}`);
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
    // eslint-disable-next-line @typescript-eslint/only-throw-error -- whatever the script threw
    if (thrown !== undefined) throw thrown;
    return script.ran === true;
  };
};
