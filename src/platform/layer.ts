import { ownFields } from '../hardening/ownFields';
import type { Unclobbered } from '../hardening/unclobbered';
import type { Layer } from '../model/overlay';

/**
 * Opens an element above everything else on the page, with a shadow root in it. The styles of the element are
 * important, so that the page's own rules for `div` do not change it. The element stands beside the body: a body with
 * a transform, a filter or `contain` would move and cut what is fixed in it.
 */
export const openLayer = (document: Unclobbered<Document>, zIndex: number): Layer => {
  const host = document.createElement('div');
  for (const [property, value] of Object.entries({
    all: 'initial',
    display: 'block',
    position: 'fixed',
    inset: '0',
    width: '0',
    height: '0',
    'z-index': String(zIndex),
  })) {
    host.style.setProperty(property, value, 'important');
  }
  const root = host.attachShadow(ownFields({ mode: 'open' }));
  document.documentElement.append(host);
  return { root, remove: () => host.remove() };
};
