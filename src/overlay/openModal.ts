import { unclobbered } from '../hardening/unclobbered';

/** Elements that had the focus before a modal opened, by the modal's shadow root, the nearest first. */
const focusedBefore = new WeakMap<Node, readonly Element[]>();

/**
 * Shows a dialog above everything on the page, also above dialogs that are open, and moves the focus to its modal. In a
 * browser without modal dialogs, the dialog stays where its layer is. The answer is what closes it. Then the focus goes
 * back to where it was, unless it is elsewhere by now. Where the element that had it is gone, as with an overlay that
 * has closed meanwhile, the focus goes to the one before.
 */
export const openModal = (dialog: HTMLDialogElement, modal: HTMLElement): (() => void) => {
  const document = dialog.ownerDocument;
  const root = dialog.getRootNode();
  const focused = focusedElement(document);
  if (focused) focusedBefore.set(root, [focused, ...(focusedBefore.get(unclobbered(focused).getRootNode()) ?? [])]);
  if ('showModal' in dialog) dialog.showModal();
  modal.focus({ preventScroll: true });
  return () => {
    const last = focusedElement(document);
    if (dialog.open) dialog.close();
    if (last === undefined || dialog.contains(last)) focusFirst(focusedBefore.get(root) ?? [], document);
  };
};

/** Moves the focus to the first element that takes it. */
const focusFirst = (elements: readonly Element[], document: Document): void =>
  void elements.some((element) => {
    if (element instanceof HTMLElement) unclobbered(element).focus({ preventScroll: true });
    return focusedElement(document) === element;
  });

/** The element that has the focus, in open shadow trees too. The body has it where no element has. */
const focusedElement = (document: Document): Element | undefined => {
  let focused = unclobbered(document).activeElement;
  for (let inner = focused; inner; inner = unclobbered(inner).shadowRoot?.activeElement ?? null) focused = inner;
  return focused === null || focused === unclobbered(document).body ? undefined : focused;
};
