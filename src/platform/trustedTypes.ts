interface Rules {
  readonly createScriptURL: (url: string) => string;
  readonly createScript: (code: string) => string;
}

interface TrustedTypes {
  readonly createPolicy: (name: string, rules: Rules) => Rules;
}

/** Text for a place that takes trusted types only, where a page's policy requires them: worker addresses are blobs of this page, nothing else. */
export const trusted = (rule: keyof Rules, text: string): string => {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy('permutive', {
    createScriptURL: (own) => (own.startsWith('blob:') ? own : ''),
    createScript: (code) => code,
  });
  return policy ? policy[rule](text) : text;
};
// Made once: a name may be used only once where the page restricts policies.
let policy: Rules | undefined;
