import { ownGlobal } from '../hardening/ownGlobal';
import { orNone } from '../primitives/orNone';

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
 * Makes code acceptable where the page's policy requires trusted types; elsewhere answers it as it is. Throws where the
 * page does not allow the policy `permutive`.
 */
export const trustedScript = (code: string): string => {
  scriptPolicy ??= createPolicy('permutive', { createScript: (given) => given });
  return scriptPolicy?.createScript(code) ?? code;
};
// Created once: a page that restricts policies may allow each name only once.
let scriptPolicy: Pick<Rules, 'createScript'> | undefined;

/**
 * Answers a function that makes the address of a file or worker of the SDK acceptable where the page's policy requires
 * trusted types; elsewhere the function answers it as it is. The policy `permutive-chunks` accepts only the address
 * that was asked for last, so no other script can use it.
 */
export const ownAddresses = (): ((url: string) => string) => {
  let last: string;
  let policy: Pick<Rules, 'createScriptURL'> | undefined;
  return (url) => {
    last = url;
    // Where the page does not allow the policy, and requires trusted types, the browser refuses the address.
    orNone(
      () =>
        (policy ??= createPolicy('permutive-chunks', { createScriptURL: (asked) => (asked === last ? asked : '') })),
    );
    return policy?.createScriptURL(url) ?? url;
  };
};
