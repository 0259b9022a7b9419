import { taxonomyEntry } from '../../project/define/define';
import { activations, addons } from './addons';
import { advertising, modelCohorts, modelled } from './advertising';
import { audience, combinations } from './audience';
import { lift, lifted } from './lifted';
import { platformCohorts, withActivations } from './platforms';
import { ruleNames, rules } from './rules';
import { newsletters, sections } from './sections';
import { byAffinity, cohortCodes, standard, standardNames } from './standard';
import { topics } from './topics';

const queries = [
  ...sections,
  ...topics,
  ...newsletters,
  ...audience,
  ...advertising,
  ...combinations,
  ...modelled,
  ...standard,
];

/** The Ledger Post, a business and finance paper: the project definition that is built when no other is named. */
export const project = {
  workspaceId: 'b1cb1816-7d85-457c-9f32-2a1422d00e17',
  organizationId: 'ce9c02e4-aafb-4062-97ff-bbaaeca05990',
  apiKey: '5bb7fb0f-d8d9-415b-8725-460b8ce504db',
  config: {
    // Longer than the longest window of the queries, so that an edited query can be rebuilt from what is kept.
    eventsTTLInDays: 180,
  },
  queries: queries.map(withActivations),
  rules,
  lift,
  lifted,
  activations,
  addons,
  cohortCodes,
  cohortNames: {
    ...Object.fromEntries(byAffinity.map((id) => [id, standardNames[id]])),
    ...ruleNames,
    ...Object.fromEntries(lifted.map(({ id, name }) => [id, name])),
  },
  platformCohorts: platformCohorts(queries, byAffinity),
  optimisedActivationsConfig: {
    curation_platforms: {
      cohorts: ['bfin', 'psav', 'pinv', 'tcmp', 'egrn', '20111', '20112'],
      ssps: ['pubmatic', 'appnexus', 'ix', 'openx'],
    },
  },
  standardAudiences: { threshold: 0.5 },
  amp: true,
  taxonomies: { 20401: [taxonomyEntry(4, 'Interest > Business and Finance')] },
  models: modelCohorts,
  tpdProviders:
    'acme_data northlight eyeota lotame crosswind meridian plainview redwood silverline tidewater upland westbridge ashgrove bluepeak brightwater cedarline clearpath copperfield deepwell eastgate fairmile goldcrest greyfriars highmoor ironbridge juniper kingsway larkspur millbrook northgate oakridge pinehurst quarrystone riverbend stonegate'.split(
      ' ',
    ),
  identityTags: [
    'publisher_id',
    'newsletter_id',
    'crm',
    'email',
    'email_sha256',
    'sailthru',
    'gigya',
    'amp',
    'tradedesk',
    'id5',
    'id5id',
    'liveramp',
    'idl_env',
    'uid2',
    'pairId',
  ],
};
