import type { Observable } from 'rxjs';
import type { AnyAddon } from './addons/addon';
import type { PageProject } from './model/project';

// What no visitor waits for: it comes in one chunk, beside the addons that come later.
export { serverCalls } from './sinks/serverCalls';
export { fromApntag } from './streams/fromApntag';
export { fromContextual } from './streams/fromContextual';
export { fromFocusLoss } from './streams/fromFocusLoss';
export { fromForms } from './streams/fromForms';
export { fromLinks } from './streams/fromLinks';
export { fromPageMessages } from './streams/fromPageMessages';
export { fromPrebid } from './streams/fromPrebid';
export { fromTcf } from './streams/fromTcf';
export { lookUpIdentities } from './streams/identityProviders';
export { pageData } from './streams/pageData';

/** The chunk: the parts above, and the project's addons that are not needed at once, with their activations. */
export type LateParts = typeof import('./late') & { readonly addons: readonly AnyAddon[]; readonly activations: PageProject['activations'] };

/** What a part of the chunk gives, once it has come. */
export type Later = <A>(use: (parts: LateParts) => Observable<A>) => Observable<A>;
