import type { ExperimentGroup } from '../../model/cohort';
import { codesOf } from '../../model/cohorts';
import type { Finding } from '../../model/finding';
import { type AdRequestRow, firstOfEach, requestText } from '../adRequests/adRequest';
import type { InspectedPage } from '../inspectedPage';
import { visitorGroup } from '../visitorGroup';
import { findingsAt, namedText } from './finding';

const atExperiment = findingsAt('experiment');

/** The visitor's group in the experiment of the project, and where ad requests say something else. */
export const experimentFacts = (page: Pick<InspectedPage, 'tag' | 'world'>, rows: readonly AdRequestRow[]) => {
  const group = visitorGroup(page);
  if (group === undefined) return undefined;
  const toGoogle = rows.filter(({ partner, group: said }) => partner === 'google' && said !== undefined);
  const isWithheld = withheldOn(page);
  return {
    group,
    /** The requests with codes that nobody is to be told, the earliest of each bidder. */
    telling: firstOfEach(
      rows
        .map((row) => ({ ...row, codes: (row.codes ?? []).filter(isWithheld) }))
        .filter(({ codes }) => codes.length > 0),
    ),
    /** The requests that say another group, the earliest of each bidder. */
    other: firstOfEach(rows.filter(({ group: said = '' }) => said !== '' && said !== group)),
    /** How many requests to Google could be read, and how many of them say no group. */
    toGoogle: toGoogle.length,
    silent: toGoogle.filter(({ group: said }) => said === '').length,
  };
};
type ExperimentFacts = NonNullable<ReturnType<typeof experimentFacts>>;

/** Tells codes of cohorts that the visitor's group keeps from partners. A code may be the id of its cohort. */
const withheldOn = (page: Pick<InspectedPage, 'tag' | 'world'>): ((code: string) => boolean) => {
  const { project } = page.world;
  const ids = Object.keys(project.cohortCodes);
  return (code) => {
    const withCode = ids.filter((id) => codesOf([id], project).includes(code));
    return (withCode.length > 0 ? withCode : [code]).some((id) => visitorGroup(page, id) === 'control');
  };
};

/** What is to be said of the visitor's part in an experiment; nothing where there is no such visitor. */
export const experimentFindings = (facts: ExperimentFacts | undefined): readonly Finding[] => {
  if (facts === undefined) return [];
  const { group, telling, other, toGoogle, silent } = facts;
  return [
    ...telling.flatMap((request) =>
      atExperiment.warning(
        true,
        `${requestText(request)} has codes that nobody is told of the control group: ${namedText(request.codes)}`,
        'Load the page again: where an experiment has just begun, what the page before has stored is told once more. Where the codes stay, another script sends them.',
      ),
    ),
    ...other.flatMap((request) =>
      atExperiment.warning(
        true,
        `${requestText(request)} says the group ${request.group}, and the visitor is in the group ${group}`,
        'Let no other script set the key prmtvexp, or a report by its values counts the request for the wrong group. Where the user has changed on this page, the request is of the user before.',
      ),
    ),
    ...atExperiment.info(true, groupWords[group].finding, groupWords[group].fix),
    ...atExperiment.info(
      silent > 0,
      `${silent} of ${toGoogle} requests to Google say no group of the experiment`,
      'The requests were made before the SDK had loaded, or another script has cleared the key prmtvexp. A report by its values leaves them out, for both groups alike.',
    ),
  ];
};

const groupWords: Readonly<Record<ExperimentGroup, { readonly finding: string; readonly fix: string }>> = {
  control: {
    finding: 'The visitor is in the control group, so that page and partners are told of no cohort of the experiment',
    fix: 'Nothing is wrong. Another visitor, as in a private window, may be in the exposed group.',
  },
  exposed: { finding: 'The visitor is in the exposed group of the experiment', fix: '' },
};
