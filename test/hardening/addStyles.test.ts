/** @jest-environment jsdom */
import { addStyles } from '../../src/hardening/addStyles';

const shadowRoot = (): ShadowRoot => document.createElement('div').attachShadow({ mode: 'open' });
const styleOf = (root: ParentNode) => root.querySelector('style')?.textContent;

describe('styles of a root', () => {
  const made: string[] = [];
  /** Gives the window sheets that a script can make. jsdom has none. */
  const withSheets = (): void => {
    class Sheet {
      public replaceSync(text: string): void {
        made.push(text);
      }
    }
    Object.defineProperty(window, 'CSSStyleSheet', { value: Sheet, configurable: true });
  };
  const original = Object.getOwnPropertyDescriptor(window, 'CSSStyleSheet');
  afterEach(() => {
    made.length = 0;
    if (original !== undefined) Object.defineProperty(window, 'CSSStyleSheet', original);
  });

  it('are a constructed sheet, which a strict style policy allows', () => {
    withSheets();
    const root = shadowRoot();
    addStyles(root, 'p { color: red }');
    expect([made, root.adoptedStyleSheets.length, styleOf(root)]).toStrictEqual([['p { color: red }'], 1, undefined]);
  });

  it('are a style element in a browser without such sheets', () => {
    const root = shadowRoot();
    addStyles(root, 'p { color: red }');
    expect([styleOf(root), styleOf(document)]).toStrictEqual(['p { color: red }', undefined]);
  });

  it('stand in the head of a document', () => {
    const frame = document.createElement('iframe');
    document.body.append(frame);
    addStyles(frame.contentDocument as Document, 'p { color: red }');
    expect(styleOf((frame.contentDocument as Document).head)).toBe('p { color: red }');
  });
});
