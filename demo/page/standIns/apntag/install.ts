/*
 * A stand-in for the AppNexus seller tag (AST, of Xandr and now Microsoft), for the demo and the tests. Each behaviour
 * follows a public page, read on 2026-11-24; README.md beside this folder lists them with their tests. Behaviour that
 * is not documented is left out.
 *
 * https://learn.microsoft.com/en-us/xandr/seller-tag/ast-api-reference and its pages define-tag, modify-tag, get-tag,
 * set-page-options, set-keywords, load-tags, show-tag, refresh, clear-request, on-event, off-event, push
 * https://learn.microsoft.com/en-us/xandr/seller-tag/ad-object-api
 * https://learn.microsoft.com/en-us/xandr/seller-tag/set-up-placements-with-ast
 */
import { adFrame } from '../frames';
import { guarded, messagesOf } from '../messages';
import { auction, type Outcome, type Sold } from './auction';
import { type AdListeners, adListeners } from './events';
import { faultOf, type Keywords, newTag, type PageOpts, sizesOf, type Tag, type TagParams, withKeywords } from './tags';

type Ids = string | readonly string[] | undefined;
type Command = () => void;

/** The object as a page may have it before the tag has loaded. */
interface OnPage {
  anq?: { readonly push: (command: Command) => unknown } & Partial<Iterable<Command>>;
}

/** All that the tag knows. */
interface State {
  readonly listeners: AdListeners;
  readonly tags: Map<string, Tag>;
  /** Answers that wait for `showTag`. */
  readonly available: Map<string, Sold>;
  page: PageOpts | undefined;
}

/** How long the ad server takes to answer. */
const answerAfterMs = 60;

const messages = messagesOf('apntag stand-in');

/** Puts the tag on the page, and runs the commands that the page has queued. */
export const installApntag = (): void => {
  const onPage = window as unknown as { apntag?: OnPage };
  const apntag = (onPage.apntag ??= {});
  const state: State = {
    listeners: adListeners(messages),
    tags: new Map(),
    available: new Map(),
    page: undefined,
  };
  const queued = [...(apntag.anq?.[Symbol.iterator] === undefined ? [] : (apntag.anq as Iterable<Command>))];
  Object.assign(apntag, definitions(state), adCalls(state), {
    onEvent: state.listeners.onEvent,
    offEvent: state.listeners.offEvent,
    anq: { push: (command: Command) => guarded(messages, command) },
  });
  for (const command of queued) guarded(messages, command);
};

/** What says which tags there are and what they are sold on. */
const definitions = (state: State) => ({
  setPageOpts: (options: PageOpts): void => {
    if (state.page !== undefined) messages.warn('Nothing documents a second setPageOpts: it has no effect here');
    if (state.tags.size > 0) messages.warn('setPageOpts is called after tags were defined');
    state.page ??= options;
  },
  defineTag: (params: TagParams): Tag | undefined => {
    const fault = faultOf(params, state.page ?? {});
    if (fault !== undefined) {
      messages.error(fault);
      return undefined;
    }
    const tag = newTag(params, state.tags.size, messages);
    state.tags.set(tag.targetId, tag);
    return tag;
  },
  modifyTag: (targetId: string, params: Partial<TagParams>): void => {
    if ('targetId' in params) messages.warn('modifyTag cannot change the targetId: define another tag');
    else withTag(targetId, state, (tag) => Object.assign(tag, params));
  },
  getTag: (targetId?: string): unknown =>
    targetId === undefined ? Object.fromEntries(state.tags) : state.tags.get(targetId),
  setKeywords: (targetId: string, keywords: Keywords, options?: { readonly overrideKeyValue?: boolean }): void =>
    withTag(targetId, state, (tag) => {
      tag.keywords = withKeywords(tag, keywords, options?.overrideKeyValue === true, messages);
    }),
});

/** What asks for ads and shows them. */
const adCalls = (state: State) => ({
  loadTags: (ids?: Ids): void => request(tagsOf(ids, state), state),
  refresh: (ids?: Ids): void => request(tagsOf(ids, state), state),
  showTag: (targetId: string): void =>
    withTag(targetId, state, (tag) => {
      tag.showTagCalled = true;
      show(tag, state);
    }),
  clearRequest: (ids?: Ids): void => {
    for (const { targetId } of tagsOf(ids, state)) {
      state.tags.delete(targetId);
      state.available.delete(targetId);
    }
    if (ids === undefined) state.page = undefined;
  },
  // Called by creatives.
  collapseAd: (targetId: string): void => state.listeners.emit('adCollapse', targetId),
});

const withTag = (targetId: string, { tags }: State, act: (tag: Tag) => unknown): void => {
  const tag = tags.get(targetId);
  if (tag === undefined) messages.warn(`No tag is defined for ${targetId}`);
  else act(tag);
};

/** The named tags, all where none are named. */
const tagsOf = (ids: Ids, { tags }: State): readonly Tag[] =>
  ids === undefined
    ? [...tags.values()]
    : [ids].flat().flatMap((id) => {
        const tag = tags.get(id);
        if (tag === undefined) messages.warn(`No tag is defined for ${id}`);
        return tag ?? [];
      });

/** Asks for ads for all of these tags in one call. A window that is too small for a tag's mapping asks for none. */
const request = (tags: readonly Tag[], state: State): void => {
  const asked = tags.filter((tag) => sizesOf(tag) !== undefined);
  const outcomes = asked.map((tag) => [tag, auction(tag, state.page ?? {})] as const);
  for (const tag of asked) {
    tag.utCalled = true;
    state.available.delete(tag.targetId);
    state.listeners.emit('adRequested', tag.targetId);
  }
  setTimeout(() => {
    for (const [tag, outcome] of outcomes) if (state.tags.get(tag.targetId) === tag) settle(tag, outcome, state);
  }, answerAfterMs);
};

const settle = (tag: Tag, outcome: Outcome, state: State): void => {
  const { listeners } = state;
  const { targetId } = tag;
  if (outcome.type === 'noBid') listeners.emit('adNoBid', targetId, outcome.noBid);
  else if (outcome.type === 'badRequest') listeners.emit('adBadRequest', targetId, outcome.error);
  else if (outcome.type === 'failure') listeners.emit('adRequestFailure', targetId, outcome.error);
  else {
    state.available.set(targetId, outcome);
    listeners.emit('adAvailable', targetId, outcome.ad);
    if (tag.showTagCalled) show(tag, state);
  }
};

/** Shows the ad that waits, if there is one, in a frame of its own. A native ad is put together by the page. */
const show = (tag: Tag, state: State): void => {
  const { targetId } = tag;
  const outcome = state.available.get(targetId);
  const place = document.getElementById(targetId);
  if (outcome === undefined) return;
  if (place === null) {
    messages.warn(`showTag finds no element ${targetId}`);
    return;
  }
  state.available.delete(targetId);
  const { ad, keywords } = outcome;
  if (ad.banner !== undefined) {
    const { width, height } = ad.banner;
    const container = document.createElement('div');
    container.id = tag.utDivId;
    container.append(
      adFrame(
        {
          creative: 'subscribe',
          width,
          height,
          more: { by: 'apntag', targeting: JSON.stringify(keywords) },
        },
        { id: tag.utiframeId, isSafeFrame: tag.enableSafeFrame ?? state.page?.enableSafeFrame ?? false },
      ),
    );
    place.replaceChildren(container);
  }
  tag.displayed = true;
  state.listeners.emit('adLoaded', targetId, ad);
};
