import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';

import { DecodeError } from '../codecs/codecs';
import { endpointOf } from './ioTs';

/**
 * The visitor's cohorts by number, standard ones apart. `ctx` is the one that the last answer had, null at first; only
 * the server reads it.
 */
export const AdvertiserSegmentRequest = t.strict(
  {
    user_id: t.string,
    ctx: t.unknown,
    custom_cohorts: t.readonlyArray(t.number),
    standard_cohorts: t.readonlyArray(t.number),
  },
  'AdvertiserSegmentRequest',
);

/** An index into the lists of `AdvertiserGroups`. */
const GroupId = t.refinement(t.number, Number.isInteger, 'integer');

/**
 * A cohort that an advertiser has bought. The cohort may be used as long as each of its groups has a positive count
 * left (spec S§5).
 */
const AdvertiserCohort = t.type(
  { code: namedCodec('a cohort code', t.string), groups: namedCodec('an array of groups', t.readonlyArray(GroupId)) },
  'AdvertiserCohort',
);

/** By group, its type and how often its cohorts may still be used. Both lists have the same length. */
const AdvertiserGroups = t.type(
  { types: t.readonlyArray(t.string), counts: t.readonlyArray(t.number) },
  'AdvertiserGroups',
);

const AdvertiserCohorts = t.type(
  { cohorts: t.readonlyArray(AdvertiserCohort), groups: AdvertiserGroups },
  'AdvertiserCohorts',
);
export type AdvertiserCohorts = Readonly<t.TypeOf<typeof AdvertiserCohorts>>;

const AdvertiserSegmentAnswer = t.type({ c: AdvertiserCohorts, ctx: t.unknown }, 'AdvertiserSegmentAnswer');
export type AdvertiserSegmentAnswer = Readonly<t.TypeOf<typeof AdvertiserSegmentAnswer>>;

const described = endpointOf({
  method: 'POST',
  path: '/adv/{advertiserApiVersion}/segment',
  body: AdvertiserSegmentRequest,
  answer: AdvertiserSegmentAnswer,
});

/**
 * POST /adv/v4/segment : cohorts that advertisers have bought (`c`), and how often each may still be used (spec S§7).
 * `ctx` goes into the next request. An answer whose cohorts and groups do not fit together is refused.
 */
export const advertiserSegment: typeof described = {
  ...described,
  answer: (input) => {
    const answer = described.answer(input);
    return answer instanceof DecodeError ? answer : (mismatchOf(answer.c) ?? answer);
  },
};

/** Cohorts and groups that do not fit together. Spec S§8 says this without a path and without what was expected. */
class MismatchError extends DecodeError {
  constructor(override readonly message: string) {
    super([]);
  }
}

/** Why cohorts and groups do not fit together; undefined where they do. */
function mismatchOf({ cohorts, groups: { types, counts } }: AdvertiserCohorts): MismatchError | undefined {
  if (types.length !== counts.length) return new MismatchError('Non matching counts');
  const known = cohorts.every(({ groups }) => groups.every((group) => group >= 0 && group < types.length));
  return known ? undefined : new MismatchError('Non matching group types');
}

// The same codec under a name of its own. Errors then say that the whole value was expected, not which element of it is
// wrong (spec S§5).
function namedCodec<A, O>(name: string, codec: t.Type<A, O>): t.Type<A, O> {
  return new t.Type<A, O>(
    name,
    (input): input is A => codec.is(input),
    (input, context) => (isLeft(codec.decode(input)) ? t.failure(input, context) : codec.validate(input, context)),
    (value) => codec.encode(value),
  );
}
