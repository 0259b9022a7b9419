import type { Finding } from '../../model/finding';
import type { ConsentFacts, Facts } from './facts';
import { findingsAt } from './finding';

const atConsent = findingsAt('consent');

/** What is to be said of consent and of what the visitor allows. */
export const consentFindings = ({ consent }: Facts): readonly Finding[] => [
  ...answerFindings(consent),
  ...tcfFindings(consent),
  ...atConsent.info(
    consent.around.length > 0,
    `The page is in a frame, and a window around it has the platform of ${consent.around.join(' and ')}`,
    'Nothing is wrong: the platform is found by its locator frame, and asked by messages.',
  ),
  ...atConsent.info(
    consent.isGpc || consent.gpp === 'optedOut' || consent.usp === 'optedOut',
    `The visitor has opted out of sharing, by ${heardOptOuts(consent).join(' and ')}`,
    'Nothing is wrong: cohorts are evaluated, and are not given to others.',
  ),
  ...(['gpp', 'usp'] as const).flatMap((name) =>
    atConsent.warning(
      consent[name] === 'silent' || consent[name] === 'undecided',
      `The platform of ${name === 'gpp' ? 'GPP' : 'US Privacy'} is on the page and has not answered`,
      'Nothing is shared with others until it answers. See that the script of the consent platform loads.',
    ),
  ),
];

const answerFindings = ({ isRequired, answer }: ConsentFacts): readonly Finding[] => [
  ...atConsent.error(
    isRequired && answer === 'none',
    'Consent is required, and the page has not given it',
    'Call permutive.consent({ opt_in: true, token }) once the visitor has agreed.',
  ),
  ...atConsent.warning(
    answer === 'refused',
    'The visitor has refused, so that nothing runs',
    'Nothing is wrong if the visitor did so. Call permutive.consent({ opt_in: true, token }) when they change their mind.',
  ),
];

const tcfFindings = ({ tcf }: ConsentFacts): readonly Finding[] => [
  ...atConsent.info(
    tcf === 'none',
    'The page, and the windows around it, have no consent platform of the TCF, so that vendors are looked up without it',
    'Nothing, where the GDPR does not apply to the visitors. Elsewhere add a consent platform.',
  ),
  ...atConsent.warning(
    tcf === 'silent',
    'The consent platform of the TCF has left its stub, and does not answer',
    'See that the script of the consent platform loads. Until it answers, no third party is asked.',
  ),
  ...atConsent.info(
    tcf === 'undecided',
    'The visitor has not decided in the consent platform of the TCF',
    'Nothing: third parties are asked after the decision.',
  ),
];

const heardOptOuts = ({ isGpc, gpp, usp }: ConsentFacts): readonly string[] => [
  ...(isGpc ? ['Global Privacy Control'] : []),
  ...(gpp === 'optedOut' ? ['GPP'] : []),
  ...(usp === 'optedOut' ? ['US Privacy'] : []),
];
