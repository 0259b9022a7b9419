import { tagMethods } from '../../api/tagMethods';
import { isRecord } from '../../codecs/codecs';
import { ownFields } from '../../hardening/ownFields';
import { unclobbered } from '../../hardening/unclobbered';
import type { Finding } from '../../model/finding';
import { localKeys, partnerKeys } from '../../model/storageKeys';
import type { InspectedPage } from '../inspectedPage';
import { readOf } from './askPage';
import type { ConsentFacts } from './consent';
import { findingsAt } from './finding';

const atTag = findingsAt('tag');
const atPage = findingsAt('page');
const atSdk = findingsAt('sdk');

/** A script element of the page: its address, or its text where it has none. */
export interface PageScript {
  readonly src: string;
  readonly text: string;
}

/** The script elements of the page, in their order. The scripts are read as they are now, and are not run. */
export const pageScripts = ({ page }: InspectedPage['world']): readonly PageScript[] =>
  readOf(
    () =>
      [...documentOf(page).querySelectorAll('script')].map((script) => {
        const { src, textContent } = unclobbered(script);
        return { src, text: src === '' ? textContent : '' };
      }),
    [],
  );

/** The document of the page. Throws where there is no document. */
const documentOf = (page: InspectedPage['world']['page']) => unclobbered(page.global('document') as Document);

/** What is to be seen of the tag and of the scripts of the page. */
export const tagFacts = ({ tag, world }: InspectedPage, scripts: readonly PageScript[]) => {
  const { workspaceId } = world.project;
  const config = ownFields(isRecord(tag['config']) ? tag['config'] : {});
  const bundles = scripts.filter(({ src }) => src.split(/[?#]/)[0]?.endsWith(`/${workspaceId}-web.js`));
  const first = scripts.findIndex((script) => bundles.includes(script));
  const tagAt = scripts.findIndex(({ text }) => isTag(text));
  return {
    /** Version of the SDK. */
    version: String(tag['version']),
    /** Workspace of the project that the bundle was built of. */
    workspace: workspaceId,
    /** Workspace that the page names; empty where it names none. */
    namedWorkspace: world.setting('workspaceId') || world.setting('projectId'),
    /** Whether the public methods are in place. */
    isBound: 'context' in tag,
    /** Whether the tag has its queue, in which early calls wait. */
    hasQueue: Array.isArray(tag['q']),
    /** Documented methods that the tag lacks. */
    missingMethods: tagMethods.filter((name) => typeof tag[name] !== 'function'),
    /** The form of the tag: the present one names the workspace, older ones the project, or neither. */
    form: config['workspaceId'] !== undefined ? 'workspace' : config['projectId'] !== undefined ? 'project' : 'neither',
    /** How many script elements of the page load the bundle. */
    bundles: bundles.length,
    /** Whether the bundle's script element stands before the tag. */
    isBundleFirst: first !== -1 && first < tagAt,
    /** Whether the page has loaded. */
    isLoaded: readOf(() => documentOf(world.page).readyState === 'complete', true),
  } as const;
};
type TagFacts = ReturnType<typeof tagFacts>;

/** Whether a script is the companion: by its address, or by the keys that it removes after a refusal. */
export const isCompanion = ({ src, text }: PageScript): boolean =>
  /-companion\.js$/.test(src.split(/[?#]/)[0] ?? '') ||
  [partnerKeys.all, localKeys.prebidConfig].every((key) => text.includes(key));

/** Whether the text of a script is the tag: it names the global, its config and the key of its calls. */
export const isTag = (text: string): boolean =>
  ['permutive', 'config', 'functionName'].every((word) => text.includes(word));

/** What is to be said of the tag, the bundle and their versions. */
export const tagFindings = (tag: TagFacts, consent: ConsentFacts): readonly Finding[] => [
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
