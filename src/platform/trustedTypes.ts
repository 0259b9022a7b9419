import { ownGlobal } from '../hardening/ownGlobal';

/** The two kinds of text that the SDK needs policies for. */
interface Rules {
  readonly createScriptURL: (url: string) => string;
  readonly createScript: (code: string) => string;
}

interface TrustedTypes {
  readonly createPolicy: <Some extends keyof Rules>(name: string, rules: Pick<Rules, Some>) => Pick<Rules, Some>;
}

/** Undefined where the browser has no trusted types. Throws where the page does not allow a policy of this name. */
export const createPolicy = <Some extends keyof Rules>(
  name: string,
  rules: Pick<Rules, Some>,
): Pick<Rules, Some> | undefined => {
  const trustedTypes = ownGlobal(globalThis, 'trustedTypes') as TrustedTypes | undefined;
  return trustedTypes?.createPolicy(name, rules);
};

/**
 * Makes text acceptable where the page's policy requires trusted types; elsewhere answers it as it is. As a script
 * address, only Blobs of this page are accepted. Throws where the page does not allow the policy `permutive`.
 */
export const trusted = (rule: keyof Rules, text: string): string => {
  policy ??= createPolicy('permutive', {
    createScriptURL: (own: string) => (own.startsWith('blob:') ? own : ''),
    createScript: (code: string) => code,
  });
  return policy ? policy[rule](text) : text;
};
// Created once: a page that restricts policies may allow each name only once.
let policy: Rules | undefined;
