interface Rules {
  readonly createScriptURL: (url: string) => string;
  readonly createScript: (code: string) => string;
}

interface TrustedTypes {
  readonly createPolicy: (name: string, rules: Rules) => Rules;
}

/**
 * Makes text acceptable where the page's policy requires trusted types. As a script address only blobs of this page are
 * accepted.
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
