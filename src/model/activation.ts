import * as t from 'io-ts';

import { ownEntry } from '../hardening/ownFields';
import { type ContextCriteria, ContextCriteriaCodec, type CriteriaContext, meets } from './contextCriteria';
import type { EventDraft } from './event';

/**
 * One line of the publisher's activation list (spec S§3): an addon acts for the cohort `sc` when the trigger `tt` says
 * so, on pages where `cc` holds. `c` is the addon's own config, `wc` that of the workspace.
 */
export interface Activation {
  readonly id: string;
  readonly short_id: string | number;
  readonly sc: string | number;
  readonly tt: 'EveryTime' | 'OnEntry' | 'OnExit';
  readonly c?: Readonly<Record<string, unknown>> | undefined;
  readonly wc?: Readonly<Record<string, unknown>> | undefined;
  readonly cc?: ContextCriteria | undefined;
}

/** Purposes of the TCF that an addon, an activation or an identity provider needs. */
export const TcfPurposes = t.array(
  t.refinement(t.number, (id) => Number.isInteger(id) && id >= 1 && id <= 11, 'a purpose of the TCF, 1 to 11'),
);

/** What an activation gives its addon. `tcf_purposes` goes before that of the addon. */
const ActivationConfig = t.intersection(
  [t.partial({ tcf_purposes: TcfPurposes }), t.UnknownRecord],
  'ActivationConfig',
);

/**
 * The type of an activation is written out above, because addons outside read it, and need no codec library for that.
 */
export const ActivationCodec = t.exact(
  t.intersection([
    t.type({
      id: t.string,
      short_id: t.union([t.string, t.number]),
      sc: t.union([t.string, t.number]),
      tt: t.keyof({ EveryTime: null, OnEntry: null, OnExit: null }),
    }),
    t.partial({ c: ActivationConfig, wc: t.UnknownRecord, cc: ContextCriteriaCodec }),
  ]),
  'Activation',
);

/**
 * Whether the activation is for the visitor's present cohorts. A partner that keeps a list of them has no place for
 * those that the visitor has left. The build refuses OnExit there; definitions of other builds are not trusted.
 */
export const isForMembers = ({ tt }: Activation): boolean => tt !== 'OnExit';

/** Whether the activation's context criteria hold; without criteria they do. */
export const appliesIn = ({ cc }: Activation, context: CriteriaContext): boolean =>
  cc === undefined || meets(cc, context);

/** A text field of an activation's config; undefined where it is missing, empty or no text. */
export const activationText = ({ c }: Activation, field: string): string | undefined => {
  const value = ownEntry(c ?? {}, field);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

/**
 * The Reaction event of an activation (spec S§3). A conversion is sent at once, because the page may unload right after
 * it.
 */
export const reaction = ({ id }: Activation, type: 'impression' | 'conversion'): EventDraft => ({
  name: 'Reaction',
  properties: { reaction_id: id, type },
  ...(type === 'conversion' && { beacon: true }),
});
