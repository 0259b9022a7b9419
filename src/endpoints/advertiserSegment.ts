import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';

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

/** `c` are the bought cohorts, checked for consistency. `ctx` goes into the next request. */
export const AdvertiserSegmentAnswer = t.type(
  { c: consistent(AdvertiserCohorts), ctx: t.unknown },
  'AdvertiserSegmentAnswer',
);
export type AdvertiserSegmentAnswer = Readonly<t.TypeOf<typeof AdvertiserSegmentAnswer>>;

/** POST /adv/v4/segment : cohorts that advertisers have bought, and how often each may still be used (spec S§7). */
export const advertiserSegment = endpointOf({
  method: 'POST',
  path: '/adv/{advertiserApiVersion}/segment',
  body: AdvertiserSegmentRequest,
  answer: AdvertiserSegmentAnswer,
});

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

/** The same codec, which also refuses an answer whose cohorts and groups do not fit together (spec S§8). */
function consistent(codec: t.Type<AdvertiserCohorts>): t.Type<AdvertiserCohorts> {
  return new t.Type<AdvertiserCohorts>(
    codec.name,
    (input): input is AdvertiserCohorts => codec.is(input) && mismatchOf(input) === undefined,
    (input, context) => {
      const decoded = codec.validate(input, context);
      if (isLeft(decoded)) return decoded;
      const mismatch = mismatchOf(decoded.right);
      return mismatch === undefined ? decoded : t.failure(input, context, mismatch);
    },
    (value) => codec.encode(value),
  );
}

/** Why cohorts and groups do not fit together, in the words of spec S§8; undefined where they do. */
function mismatchOf({ cohorts, groups: { types, counts } }: AdvertiserCohorts): string | undefined {
  if (types.length !== counts.length) return 'Non matching counts';
  const known = cohorts.every(({ groups }) => groups.every((group) => group >= 0 && group < types.length));
  return known ? undefined : 'Non matching group types';
}
