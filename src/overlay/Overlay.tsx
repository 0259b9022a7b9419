import { useObservable, useObservableCallback, useObservableState } from 'observable-hooks';
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type RefObject,
  type SyntheticEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import { identity, tap } from 'rxjs';

import type { OverlayAct } from '../model/overlay';
import { openModal } from './openModal';
import { type OverlayPhase, overlayPhases } from './overlayPhases';

/** Content that may be shown: sanitised html, or an image with a link. */
export type SafeContent =
  { readonly fragment: DocumentFragment } | { readonly imageUrl: string; readonly imageLink: string };

/** What one overlay shows, and callbacks for what happens to it. */
export interface OverlayProps {
  readonly content: SafeContent;
  /** Opacity of the backdrop, from 0 to 1. */
  readonly opacity: number;
  /** How long it takes to come and to go, in ms. */
  readonly fadeMs: number;
  /**
   * Called when the overlay opens (`impression`), and at each click on a link and each submitted form in it
   * (`conversion`).
   */
  readonly onAct: (act: OverlayAct) => void;
  /** Called once the overlay has faded, so that it can be removed. */
  readonly onGone: () => void;
}

/**
 * The only visible interface of the SDK: a dimmed backdrop and a white modal with a close button and the publisher's
 * content (spec S§2). The button, a click on the backdrop and Escape close it. While it is open, the keyboard stays in
 * the modal. The backdrop is the browser's own modal dialog, because that stands above everything that a page shows,
 * also above a dialog of the page.
 */
export const Overlay = ({ content, opacity, fadeMs, onAct, onGone }: OverlayProps): ReactElement => {
  const dialog = useRef<HTMLDialogElement>(null);
  const modal = useRef<HTMLDivElement>(null);
  const [close, close$] = useObservableCallback<unknown>(identity);
  const phase$ = useObservable(() =>
    overlayPhases(() => imagesOf(modal.current).every(({ complete }) => complete), close$, fadeMs).pipe(
      tap({
        next: (phase) => {
          if (phase === 'open') onAct('impression');
        },
        complete: onGone,
      }),
    ),
  );
  const phase = useObservableState<OverlayPhase>(phase$, 'loading');
  useModalWhile(phase === 'open', dialog, modal);

  /** Closes in place of the browser, which would remove the dialog without fading. */
  const onCancel = (event: SyntheticEvent): void => {
    event.preventDefault();
    close(event);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onCancel(event);
    // With Shift, WebKitGTK names the key “Unidentified”.
    if ([event.key, event.code].includes('Tab')) keepFocus(event, modal.current);
  };
  return (
    <dialog
      ref={dialog}
      className={`backdrop ${phase}`}
      // For people, the modal in it is the dialog.
      role="presentation"
      style={{ '--dim': opacity, '--fade': `${fadeMs}ms` } as CSSProperties}
      onClick={(event) => event.target === event.currentTarget && close(event)}
      onKeyDown={onKeyDown}
      onCancel={onCancel}
    >
      <div
        ref={modal}
        className={'fragment' in content ? 'modal' : 'modal picture'}
        role="dialog"
        aria-modal="true"
        aria-label="Message"
        tabIndex={-1}
      >
        <button type="button" className="close" onClick={close}>
          Close
        </button>
        {/* While it bubbles: recorded first, then the browser follows or sends (spec S§2). */}
        <div
          className="content"
          onClick={(event) => isOnLink(event) && onAct('conversion')}
          onSubmit={() => onAct('conversion')}
        >
          {'fragment' in content ? <Html fragment={content.fragment} /> : <Picture {...content} />}
        </div>
      </div>
    </dialog>
  );
};

/** An image that is a link. The text for screen readers is on the link, so the image itself has none. */
const Picture = ({ imageUrl, imageLink }: { readonly imageUrl: string; readonly imageLink: string }): ReactElement => (
  <a href={imageLink} aria-label="Open the offer">
    <img src={imageUrl} alt="" />
  </a>
);

/** Puts the sanitised fragment into the page before the browser paints. */
const Html = ({ fragment }: { readonly fragment: DocumentFragment }): ReactElement => {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(fragment), [fragment]);
  return <div ref={place} />;
};

const imagesOf = (modal: HTMLElement | null): readonly HTMLImageElement[] => [
  ...(modal?.querySelectorAll('img') ?? []),
];

const isOnLink = ({ target }: MouseEvent): boolean => target instanceof Element && target.closest('a[href]') !== null;

/** Keeps a dialog open as a modal, from before the browser paints it. */
const useModalWhile = (
  isOpen: boolean,
  dialog: RefObject<HTMLDialogElement | null>,
  modal: RefObject<HTMLElement | null>,
): void =>
  useLayoutEffect(() => {
    const [opened, focused] = [dialog.current, modal.current];
    return isOpen && opened && focused ? openModal(opened, focused) : undefined;
  }, [isOpen, dialog, modal]);

const focusable =
  'a[href], button:not([disabled]), input:not([disabled]):not([type="hidden"]), select:not([disabled]), ' +
  'textarea:not([disabled]), [tabindex]:not([tabindex="-1"])';

/** Keeps Tab within the modal: after the last element comes the first, and before the first the last. */
const keepFocus = (event: KeyboardEvent, modal: HTMLElement | null): void => {
  const stops = [...(modal?.querySelectorAll<HTMLElement>(focusable) ?? [])];
  // The document's own active element is only the host of the shadow root.
  const focused = (modal?.getRootNode() as ShadowRoot | undefined)?.activeElement;
  const [first, last] = [stops.at(0), stops.at(-1)];
  const leaves = event.shiftKey ? focused === first || focused === modal : focused === last;
  if (!leaves) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
};
