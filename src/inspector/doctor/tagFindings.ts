import type { Finding } from '../../model/finding';
import type { AddonFacts, Facts, TagFacts } from './facts';
import { findingsAt } from './finding';

const atTag = findingsAt('tag');
const atPage = findingsAt('page');
const atSdk = findingsAt('sdk');
const atAddons = findingsAt('addons');

/** What is to be said of the tag, the bundle and their versions. */
export const tagFindings = ({ tag, consent }: Facts): readonly Finding[] => [
  ...orderFindings(tag),
  ...formFindings(tag),
  ...atTag.warning(
    !tag.isBound && !(consent.isRequired && consent.answer !== 'given'),
    'The SDK has not put its methods in place yet',
    'Ask again in a second. If it stays so, look for an error message that begins with “Exception during initialisation”.',
  ),
  ...atPage.info(!tag.isLoaded, 'The page is still loading', 'Ask again when it has loaded.'),
  ...atSdk.info(true, `The SDK is version ${tag.version}, built for the workspace ${tag.workspace}`),
];

const orderFindings = ({ bundles, isBundleFirst }: TagFacts): readonly Finding[] => [
  ...atTag.warning(
    isBundleFirst,
    'The script of the bundle stands before the tag',
    'Put the tag before the script: where the script comes out of the cache, it runs first, finds no tag and does nothing.',
  ),
  ...atTag.warning(
    bundles > 1,
    `The page includes the bundle ${bundles} times`,
    'Remove all but one. The first one runs, and the others cost time only. Look into tag managers too.',
  ),
];

const formFindings = ({ form, hasQueue, missingMethods, namedWorkspace, workspace }: TagFacts): readonly Finding[] => [
  ...atTag.info(
    form !== 'workspace',
    form === 'project'
      ? 'The tag is of an older form, which names the project and not the workspace'
      : 'The tag is of an older form, which does not name the workspace',
    'It works. Take the present tag from the README when the page is changed anyway.',
  ),
  ...atTag.warning(
    !hasQueue,
    'The tag has no queue',
    'Use the tag unchanged: without its queue `q`, calls of the page before the SDK has started fail.',
  ),
  ...atTag.warning(
    missingMethods.length > 0,
    `The tag lacks methods: ${missingMethods.join(', ')}`,
    'Use the tag unchanged: a call of a missing method throws in the page until the SDK has started.',
  ),
  ...atTag.error(
    namedWorkspace !== '' && namedWorkspace !== workspace,
    `The tag names the workspace ${namedWorkspace}, but the bundle is that of ${workspace}`,
    'Give the tag and the address of the bundle the same workspace.',
  ),
];

/** What is to be said of the addons that the page starts. */
export const addonFindings = ({ tag, addons }: Facts): readonly Finding[] => [
  ...atAddons.error(
    tag.isBound && !addons.started.includes('web'),
    'The page has not called permutive.addon for web, so it has no Pageview',
    "Call permutive.addon('web', { page: { … } }) right after the tag, on each page.",
  ),
  ...unknownAddons(addons),
];

const unknownAddons = ({ unknown }: AddonFacts): readonly Finding[] =>
  unknown.flatMap((name) =>
    atAddons.warning(
      true,
      `The page starts the addon ${name}, which the project does not have`,
      'Name the addon in the project definition and build again, or correct the name in the page.',
    ),
  );
