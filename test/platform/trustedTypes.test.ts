import { ownAddresses, trustedScript } from '../../src/platform/trustedTypes';

interface Policy {
  readonly name: string;
  readonly createScriptURL?: (url: string) => string;
  readonly createScript?: (code: string) => string;
}

/** A browser with trusted types. `refused`: the policies that its page does not allow. */
const browserWith = (refused: readonly string[] = []): readonly Policy[] => {
  const created: Policy[] = [];
  const createPolicy = (name: string, rules: Omit<Policy, 'name'>) => {
    if (refused.includes(name)) throw new TypeError('not allowed');
    const policy = { name, ...rules };
    created.push(policy);
    return policy;
  };
  Object.assign(globalThis, { trustedTypes: { createPolicy } });
  return created;
};
afterEach(() => void delete (globalThis as { trustedTypes?: unknown }).trustedTypes);

describe('The policy for addresses', () => {
  it('takes the address that was asked for last, and no other', () => {
    const created = browserWith();
    const addressOf = ownAddresses();
    expect([addressOf('https://cdn.example/a.js'), addressOf('blob:b')]).toEqual([
      'https://cdn.example/a.js',
      'blob:b',
    ]);
    expect(created.map(({ name }) => name)).toEqual(['permutive-chunks']);
    const ask = (url: string) => created[0]?.createScriptURL?.(url);
    expect(['https://cdn.example/a.js', 'https://evil.example/', 'blob:b'].map(ask)).toEqual(['', '', 'blob:b']);
  });

  it('is none where the page does not allow it, or the browser has none', () => {
    browserWith(['permutive-chunks']);
    expect(ownAddresses()('blob:a')).toBe('blob:a');
    delete (globalThis as { trustedTypes?: unknown }).trustedTypes;
    expect(ownAddresses()('blob:a')).toBe('blob:a');
  });
});

describe('The policy for scripts', () => {
  it('takes scripts and no addresses, is created once, and where the page does not allow it that is thrown', () => {
    expect(trustedScript('0')).toBe('0');
    browserWith(['permutive']);
    expect(() => trustedScript('1')).toThrow('not allowed');
    const created = browserWith();
    expect([trustedScript('1'), trustedScript('2')]).toEqual(['1', '2']);
    expect(created.map(({ name, createScriptURL }) => [name, createScriptURL])).toEqual([['permutive', undefined]]);
  });
});
