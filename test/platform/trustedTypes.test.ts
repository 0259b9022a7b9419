/** @jest-environment jsdom */
import { createPolicy, trusted } from '../../src/platform/trustedTypes';

describe('In a browser without trusted types', () => {
  test('an element with that id does not keep scripts from running', () => {
    document.body.innerHTML = '<form id="trustedTypes"><input name="createPolicy"></form>';
    expect(globalThis).toHaveProperty('trustedTypes');
    expect(createPolicy('permutive-chunks', { createScriptURL: () => '' })).toBeUndefined();
    expect(trusted('createScript', 'code')).toBe('code');
  });
});
