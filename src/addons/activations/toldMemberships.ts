import { isRecord } from '../../codecs/codecs';
import { type Activation, appliesIn } from '../../model/activation';
import type { CriteriaContext } from '../../model/contextCriteria';

/**
 * What a partner was told: by the id of an activation, the cohort that the visitor was in when the partner was told
 * last. An activation that is absent was told of no cohort, or of its exit.
 */
export type ToldMemberships = Readonly<Record<string, string>>;

/** An entry or exit that a partner does not know of yet. */
export interface MembershipChange {
  readonly activation: Activation;
  /** True: the visitor is in the cohort now. False: the visitor is no longer in it. */
  readonly entered: boolean;
}

/** What a partner does not know yet, and what it knows once it was told. */
export interface MembershipComparison {
  readonly changes: readonly MembershipChange[];
  readonly next: ToldMemberships;
}

/** Reads the stored memberships. Anything that has another shape counts as empty, which is a first run. */
export const toldMemberships = (stored: unknown): ToldMemberships =>
  isRecord(stored)
    ? Object.fromEntries(Object.entries(stored).filter((entry): entry is [string, string] => isText(entry[1])))
    : {};

const isText = (value: unknown): value is string => typeof value === 'string';

/**
 * Compares memberships with what was told, for each activation by itself. An activation that does not apply on this
 * page keeps what was told, and is compared again on the next page.
 */
export const compareMemberships = (
  activations: readonly Activation[],
  members: readonly string[],
  told: ToldMemberships,
  context: CriteriaContext,
): MembershipComparison => {
  const next = new Map(Object.entries(told));
  const changes: MembershipChange[] = [];
  for (const activation of activations.filter((each) => appliesIn(each, context))) {
    const cohort = String(activation.sc);
    const is = members.includes(cohort);
    if ((next.get(activation.id) === cohort) !== is) changes.push({ activation, entered: is });
    if (is) next.set(activation.id, cohort);
    else next.delete(activation.id);
  }
  return { changes, next: Object.fromEntries(next) };
};

/** What a partner was told, after a change that was remembered and has not reached it. */
export const withoutChange = (
  told: ToldMemberships,
  { activation: { id, sc }, entered }: MembershipChange,
): ToldMemberships => {
  const { [id]: _, ...others } = told;
  return entered ? others : { ...others, [id]: String(sc) };
};

/**
 * Whether an activation wants a change to be told: OnEntry entries, OnExit exits, EveryTime both (spec S§4). The rule
 * applies to partners that are told of changes, and not of each view.
 */
export const wants = ({ tt }: Activation, entered: boolean): boolean =>
  tt === 'EveryTime' || (tt === 'OnEntry') === entered;
