/** @jest-environment jsdom */
import fc from 'fast-check';

import { openModal } from '../../src/overlay/openModal';

/** A dialog in a layer of its own, as overlays are. */
const layer = () => {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  const dialog = document.createElement('dialog');
  const modal = document.createElement('div');
  modal.tabIndex = -1;
  dialog.append(modal);
  root.append(dialog);
  document.documentElement.append(host);
  return { host, dialog, modal };
};
type OpenLayer = ReturnType<typeof layer> & { readonly close: () => void };

const open = (): OpenLayer => {
  const made = layer();
  return { ...made, close: openModal(made.dialog, made.modal) };
};
const close = ({ host, close: end }: OpenLayer): void => {
  end();
  host.remove();
};
const focused = (): Element | null => document.activeElement?.shadowRoot?.activeElement ?? document.activeElement;

/** jsdom has no modal dialogs, so these are browsers without them; `test/browser/topLayer.test.ts` has real ones. */
describe('the focus of modals', () => {
  const button = document.createElement('button');
  beforeEach(() => {
    document.body.replaceChildren(button);
    button.focus();
  });

  it('is in the modal while it is open, and goes back', () => {
    const opened = open();
    expect(focused()).toBe(opened.modal);
    close(opened);
    expect(focused()).toBe(button);
  });

  it('stays where a person has moved it meanwhile', () => {
    const other = document.createElement('button');
    document.body.append(other);
    const opened = open();
    other.focus();
    close(opened);
    expect(focused()).toBe(other);
  });

  it('is nowhere at the end where nothing had it, or what had it is gone', () => {
    button.blur();
    close(open());
    expect(focused()).toBe(document.body);
    button.focus();
    const opened = open();
    button.remove();
    close(opened);
    expect(focused()).toBe(document.body);
  });

  it('goes back into an open shadow tree of the page', () => {
    const component = document.createElement('p');
    const field = document.createElement('input');
    component.attachShadow({ mode: 'open' }).append(field);
    document.body.append(component);
    field.focus();
    close(open());
    expect(focused()).toBe(field);
  });

  it('is in the upper modal whatever is closed below, and on the page at the end, in every order', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(4), { maxLength: 12 }), (steps) => {
        const layers: OpenLayer[] = [];
        button.focus();
        for (const step of steps) {
          const [closed] = step < layers.length ? layers.splice(step, 1) : [];
          if (closed) close(closed);
          else layers.push(open());
          expect(focused()).toBe(layers.at(-1)?.modal ?? button);
        }
        for (const opened of layers.reverse()) close(opened);
        expect(focused()).toBe(button);
      }),
    );
  });
});
