/** @jest-environment jsdom */
import { unclobbered } from '../../src/hardening/unclobbered';

const page = unclobbered(document);
const hide = (name: string, description: PropertyDescriptor): void =>
  void Object.defineProperty(document, name, { configurable: true, ...description });

describe('unclobbered', () => {
  afterEach(() => {
    for (const name of ['title', 'cookie', 'createElement', 'head', 'referrer']) Reflect.deleteProperty(document, name);
    document.title = '';
  });

  it('reads and writes what the browser has', () => {
    page.title = 'Copper';
    expect([page.title, document.title]).toEqual(['Copper', 'Copper']);
    expect(page.createElement('i').tagName).toBe('I');
  });

  it('reads and writes past an element that hides a member', () => {
    document.title = 'Copper';
    hide('title', { value: document.createElement('img') });
    hide('createElement', { value: document.createElement('form') });
    expect([page.title, page.createElement('i').tagName]).toEqual(['Copper', 'I']);
    page.title = 'Tin';
    expect(page.title).toBe('Tin');
  });

  it('keeps the word of a script of the page, as of a consent tool that watches cookies', () => {
    const written: unknown[] = [];
    hide('cookie', { get: () => 'a=1', set: (text) => written.push(text) });
    hide('createElement', { value: () => 'made by the page' });
    page.cookie = 'b=2';
    expect([page.cookie, written, page.createElement('i')]).toEqual(['a=1', ['b=2'], 'made by the page']);
  });

  it.each([[undefined], [null], [7], ['text']])('takes %p for no method and no object', (value) => {
    hide('createElement', { get: () => value });
    hide('head', { get: () => value });
    expect([page.createElement('i').tagName, page.head.tagName]).toEqual(['I', 'HEAD']);
  });

  it('has nothing for a text that cannot be read, and the page is asked for the others', () => {
    const refuse = () => {
      throw new DOMException('', 'SecurityError');
    };
    hide('cookie', { get: refuse });
    hide('head', { get: refuse });
    hide('referrer', { get: () => undefined });
    expect([page.cookie, page.referrer, page.head.tagName]).toEqual([undefined, undefined, 'HEAD']);
  });
});
