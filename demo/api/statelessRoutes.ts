import { expandTable } from '../../src/engine/rules/expandRules';
import { advertiserRoutes } from './advertiser';
import type { ApiProject } from './apiProject';
import { classificationRoutes } from './classification';
import { contextualRoutes } from './contextual';
import { definitionsById } from './definitions';
import { geoRoutes } from './geo';
import { liftRoutes } from './lift';
import { fileRoutes } from './models';
import { partnerRoutes } from './partners';
import { reportRoutes } from './reports';
import type { Route } from './served';
import { thirdPartyRoutes } from './thirdParty';

/** The calls that are answered from the request and the project alone, so that any process may answer them. */
export const statelessRoutes = (project: ApiProject): readonly Route[] => [
  ...reportRoutes,
  ...geoRoutes,
  ...classificationRoutes,
  ...thirdPartyRoutes(project),
  ...advertiserRoutes(project),
  ...contextualRoutes(project),
  ...liftRoutes(definitionsById(project.lifted ?? [])),
  ...fileRoutes(project),
  ...partnerRoutes,
];

/** The project with the definitions of its rule table among its queries. */
export const withRules = (project: ApiProject): ApiProject & Required<Pick<ApiProject, 'queries'>> => ({
  ...project,
  queries: [...(project.queries ?? []), ...expandTable(project.rules ?? {}).definitions],
});
