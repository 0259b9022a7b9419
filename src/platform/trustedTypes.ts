/** The two kinds of text that the SDK needs a policy for. */
interface Rules {
  readonly createScriptURL: (url: string) => string;
  readonly createScript: (code: string) => string;
}

interface TrustedTypes {
  readonly createPolicy: (name: string, rules: Rules) => Rules;
}

/**
 * Makes text acceptable where the page's policy requires trusted types; elsewhere answers it as it is. As a script
 * address, only Blobs of this page are accepted. Throws where the page does not allow the policy `permutive`.
 */
export const trusted = (rule: keyof Rules, text: string): string => {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('permutive', {
    createScriptURL: (own) => (own.startsWith('blob:') ? own : ''),
    createScript: (code) => code,
  });
  return policy ? policy[rule](text) : text;
};
// Created once: a page that restricts policies may allow each name only once.
let policy: Rules | undefined;
