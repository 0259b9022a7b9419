import { tagMethods } from '../src/api/tagMethods';
import { linkOfMain } from '../src/companion/linkOfMain';

export interface HeadSettings {
  readonly apiKey: string;
  readonly workspaceId: string;
  /** Name of the tag's global object. */
  readonly windowKey: string;
  /** Where pages load the page script from. */
  readonly address: string;
  /** Where pages load the main part from. */
  readonly main: string;
}

/** A text of JavaScript that may stand inside a script element. */
const quoted = (text: string): string => `'${text.replace(/['\\]/g, '\\$&').replace(/</g, '\\u003c')}'`;

/** The tag as a publisher pastes it: a stub that keeps calls until the SDK has loaded. */
export const tagOf = ({
  apiKey,
  workspaceId,
  windowKey,
}: Omit<HeadSettings, 'address' | 'main'>): string => `!function (e, o, n, i) {
    if (!e) {
      e = window.${windowKey} = { q: [], config: i || {} };
      e.config.apiKey = o;
      e.config.workspaceId = n;
      e.config.environment = e.config.environment || 'production';
      window.crypto && crypto.randomUUID && (e.config.viewId = crypto.randomUUID());
      [${tagMethods.map(quoted).join(', ')}].forEach(function (name) {
        e[name] = function () { e.q.push({ functionName: name, arguments: Array.prototype.slice.call(arguments, 0) }); };
      });
    }
  }(window.${windowKey}, ${quoted(apiKey)}, ${quoted(workspaceId)}, {});`;

/**
 * What a publisher pastes into the head of each page, before any ad tag: the tag, the link to the main part, the
 * companion and the script element. `companion`: the companion's script. `integrity`: the hash of each of the two
 * files.
 */
export const headOf = (settings: HeadSettings, companion: string, integrity: string): string => {
  const pinned = `integrity="${integrity}" crossorigin="anonymous" referrerpolicy="origin"`;
  return `<script>
  ${tagOf(settings)}
</script>
<link rel="${linkOfMain}" href="${settings.main}" ${pinned}>
<script>${companion.trim()}</script>
<script async src="${settings.address}" ${pinned}></script>
`;
};
