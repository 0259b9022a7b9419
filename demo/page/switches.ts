import { type TagForm, tagForms } from './tag';

/** What the address of a page may switch, so that one site can play many publishers. */
export interface Switches {
  readonly tag: TagForm;
  readonly consentRequired: boolean;
  readonly csp: 'none' | 'strict' | 'noworker';
  readonly gpt: 'at once' | 'late' | 'none' | 'setConfig';
  readonly throwing: boolean;
  readonly twice: boolean;
}

const oneOf = <Value extends string>(values: readonly Value[], given: string | undefined, otherwise: Value): Value =>
  values.find((value) => value === given) ?? otherwise;

export const switchesFrom = (parameter: (name: string) => string | undefined, defaultForm: TagForm): Switches => ({
  tag: oneOf(tagForms, parameter('tag'), defaultForm),
  consentRequired: parameter('consent') === 'required',
  csp: oneOf(['none', 'strict', 'noworker'], parameter('csp'), 'none'),
  gpt: oneOf(['at once', 'late', 'none', 'setConfig'], parameter('gpt'), 'at once'),
  throwing: parameter('throw') === '1',
  twice: parameter('twice') === '1',
});

/** Scripts by nonce only, and no text may become code: the policy that careful publishers have. */
export const contentSecurityPolicy = ({ csp }: Switches, nonce: string): string | null =>
  csp === 'none'
    ? null
    : [
        `script-src 'nonce-${nonce}' 'strict-dynamic'`,
        "object-src 'none'",
        "base-uri 'none'",
        "require-trusted-types-for 'script'",
        ...(csp === 'noworker' ? ["worker-src 'none'"] : []),
      ].join('; ');
