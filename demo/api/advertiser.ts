import { advertiserSegment } from '../../src/endpoints/advertiserSegment';
import type { ApiProject } from './apiProject';
import { hashOf } from './hash';
import { type Route, served } from './served';

const types = ['frequency', 'budget', 'pacing'];
/** Cohorts with this group besides are a clean room's. */
const cleanRoom = types.length;
const allTypes = [...types, 'clean_room'];

/** About a third of the visitor's cohorts have been bought. `ctx` counts how often the visitor has asked. */
export const advertiserRoutes = ({ cohortCodes = {} }: ApiProject): readonly Route[] => [
  served(advertiserSegment, ({ body: { user_id, ctx, custom_cohorts, standard_cohorts } }) => {
    const bought = [...custom_cohorts, ...standard_cohorts].filter(
      (cohort) => hashOf(`advertiser ${cohort}`) % 3 === 0,
    );
    return {
      c: {
        cohorts: bought.map((cohort) => ({
          code: cohortCodes[String(cohort)] ?? `adv${cohort}`,
          groups: groupsOf(cohort),
        })),
        groups: { types: allTypes, counts: allTypes.map((type) => 1 + (hashOf(`${user_id} ${type}`) % 20)) },
      },
      ctx: { asked: askedOf(ctx) + 1 },
    };
  }),
];

const groupsOf = (cohort: number): number[] => [
  ...types.map((_, group) => group).filter((group) => group === 0 || hashOf(`${cohort} ${group}`) % 2 === 0),
  ...(hashOf(`clean room ${cohort}`) % 3 === 0 ? [cleanRoom] : []),
];

const askedOf = (ctx: unknown): number =>
  typeof ctx === 'object' && ctx !== null && 'asked' in ctx && typeof ctx.asked === 'number' ? ctx.asked : 0;
