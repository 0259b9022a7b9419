import { tagMethods } from '../../api/tagMethods';
import { isRecord } from '../../codecs/codecs';
import { ownFields } from '../../hardening/ownFields';
import { type Unclobbered, unclobbered } from '../../hardening/unclobbered';
import type { InspectedPage } from '../inspectedPage';
import { readOf } from './askPage';
import type { TagFacts } from './facts';

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
const documentOf = (page: InspectedPage['world']['page']): Unclobbered<Document> =>
  unclobbered(page.global('document') as Document);

/** What is to be seen of the tag and of the scripts of the page. */
export const tagFacts = ({ tag, world }: InspectedPage, scripts: readonly PageScript[]): TagFacts => {
  const { workspaceId } = world.project;
  const config = ownFields(isRecord(tag['config']) ? tag['config'] : {});
  const bundles = scripts.filter(({ src }) => src.split(/[?#]/)[0]?.endsWith(`/${workspaceId}-web.js`));
  const first = scripts.findIndex((script) => bundles.includes(script));
  const tagAt = scripts.findIndex(({ text }) => isTag(text));
  return {
    version: String(tag['version']),
    workspace: workspaceId,
    namedWorkspace: world.setting('workspaceId') || world.setting('projectId'),
    isBound: 'context' in tag,
    hasQueue: Array.isArray(tag['q']),
    missingMethods: tagMethods.filter((name) => typeof tag[name] !== 'function'),
    form: config['workspaceId'] !== undefined ? 'workspace' : config['projectId'] !== undefined ? 'project' : 'neither',
    bundles: bundles.length,
    isBundleFirst: first !== -1 && first < tagAt,
    isLoaded: readOf(() => documentOf(world.page).readyState === 'complete', true),
  };
};

/** Whether the text of a script is the tag: it names the global, its config and the key of its calls. */
const isTag = (text: string): boolean => ['permutive', 'config', 'functionName'].every((word) => text.includes(word));
