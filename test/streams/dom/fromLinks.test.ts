/** @jest-environment jsdom */
import { fromEvent } from 'rxjs';

import type { LinkClick } from '../../../src/model/pageSignal';
import { fromLinks } from '../../../src/streams/dom/fromLinks';

const listen = (_: string, type: string) => fromEvent(document, type, { capture: true });

/** What is told of a click on the marked element. */
const told = (
  markup: string,
  init: MouseEventInit & { readonly type?: string } = {},
  find = (): Element => document.querySelector('[data-here]')!,
): readonly LinkClick[] => {
  document.body.innerHTML = markup;
  const heard: LinkClick[] = [];
  const hearing = fromLinks(listen, () => ['token', 'code']).subscribe((click) => heard.push(click));
  document.body.addEventListener('click', (event) => event.preventDefault(), { once: true });
  find().dispatchEvent(
    new MouseEvent(init.type ?? 'click', { bubbles: true, cancelable: true, composed: true, ...init }),
  );
  hearing.unsubscribe();
  return heard;
};

describe('a clicked link', () => {
  it.each([
    ['itself', '<a href="/a" data-here>x</a>'],
    ['something in it', '<a href="/a"><b><i data-here>x</i></b></a>'],
    ['an area', '<map><area href="/a" data-here></map>'],
  ])('is told with its absolute address: %s', (_, markup) => {
    expect(told(markup)).toEqual([{ dest_url: 'http://localhost/a', leaves: true }]);
  });

  it.each(['href', 'xlink:href'])('is told where it is a link of a drawing, by %s', (attribute) => {
    const find = (): Element => {
      const link = document.querySelector('a')!;
      // jsdom does not know the class of such links.
      Object.defineProperty(link, 'href', { value: { baseVal: link.getAttribute(attribute) } });
      return document.querySelector('[data-here]')!;
    };
    const markup = `<svg><a ${attribute}="/a"><text data-here>x</text></a></svg>`;
    expect(told(markup, {}, find)).toEqual([{ dest_url: 'http://localhost/a', leaves: true }]);
  });

  it('is found in a shadow tree', () => {
    const find = (): Element => {
      const root = document.querySelector('div')!.attachShadow({ mode: 'open' });
      root.innerHTML = '<a href="https://a.example/"><b>x</b></a>';
      return root.querySelector('b')!;
    };
    expect(told('<div></div>', {}, find)).toEqual([{ dest_url: 'https://a.example/', leaves: true }]);
  });

  it.each(['data:text/plain,secret', 'DATA:text/html;base64,PGI+'])('has no address where it is %s', (href) => {
    expect(told(`<a href="${href}" data-here>x</a>`)).toEqual([{ dest_url: 'NOT_URL', leaves: true }]);
  });

  it.each([
    'mailto:reader@site.example',
    'tel:+442079460958',
    'sms:+442079460958',
    'javascript:send("reader")',
    'blob:http://localhost/1',
    'ftp://reader:secret@site.example/',
    'https://',
  ])('has no address where it is not of the web: %s', (href) => {
    expect(told(`<a href='${href}' data-here>x</a>`)).toEqual([{ dest_url: 'NOT_URL', leaves: true }]);
  });

  it.each([
    ['/a?b=1#access_token=secret', 'http://localhost/a?b=1'],
    ['https://reader:secret@site.example/a', 'https://site.example/a'],
    ['https://site.example/a?resetToken=secret&b=1&code=2', 'https://site.example/a?resetToken=*&b=1&code=*'],
  ])('is told without what is secret in its address: %s', (href, dest_url) => {
    expect(told(`<a href='${href}' data-here>x</a>`)).toEqual([{ dest_url, leaves: true }]);
  });

  it.each([
    '<p data-here>x</p>',
    '<a data-here>x</a>',
    '<a xlink:href="/a" data-here>x</a>',
    '<button data-here>x</button>',
  ])('is none: %s', (markup) => {
    expect(told(markup)).toEqual([]);
  });

  it.each([
    ['target _blank', '_blank', {}],
    ['target _BLANK', '_BLANK', {}],
    ['ctrl', '', { ctrlKey: true }],
    ['meta', '', { metaKey: true }],
    ['shift', '', { shiftKey: true }],
    ['alt', '', { altKey: true }],
    ['the middle button', '', { button: 1, type: 'auxclick' }],
    ['the right button', '', { button: 2, type: 'auxclick' }],
  ])('leaves this page where it is, with %s', (_, target, init) => {
    expect(told(`<a href="/a" target="${target}" data-here>x</a>`, init)).toEqual([
      { dest_url: 'http://localhost/a', leaves: false },
    ]);
  });

  it('listens only while somebody does', () => {
    const add = jest.spyOn(document, 'addEventListener');
    const remove = jest.spyOn(document, 'removeEventListener');
    const link$ = fromLinks(listen, () => []);
    expect(add).not.toHaveBeenCalled();
    link$.subscribe().unsubscribe();
    expect([add.mock.calls.length, remove.mock.calls.length]).toEqual([2, 2]);
  });
});
