/** @jest-environment jsdom */
import { type Unclobbered, unclobbered } from '../../src/hardening/unclobbered';
import { documentCookies } from '../../src/platform/cookies';

const jarOf = (cookie: unknown) => documentCookies({ cookie } as Unclobbered<Document>);
/** The document of a sandboxed frame. */
const sandboxed = unclobbered(
  Object.defineProperty(document.implementation.createHTMLDocument(), 'cookie', {
    get: () => {
      throw new DOMException('', 'SecurityError');
    },
    set: () => {
      throw new DOMException('', 'SecurityError');
    },
  }),
);

describe('documentCookies', () => {
  it.each([
    ['', 'id', undefined],
    ['id=1', 'id', '1'],
    ['a=0; id=1; b=2', 'id', '1'],
    ['xid=0; id=1', 'id', '1'],
    ['id=', 'id', ''],
    ['id', 'id', undefined],
    ['ID=1', 'id', undefined],
    ['id=a=b', 'id', 'a=b'],
    ['id=%5B%22a%22%5D', 'id', '["a"]'],
    ['id=%', 'id', undefined],
    ['id=1; id=2', 'id', '1'],
    ['permutive-id=5b2f', 'permutive-id', '5b2f'],
  ])('in "%s", %s is %p', (all, name, expected) => {
    expect(jarOf(all).read(name)).toBe(expected);
  });

  it.each([[undefined], [null], [7]])('has none where the page says %p', (cookie) => {
    expect(jarOf(cookie).read('id')).toBeUndefined();
  });

  it('writes what it is given', () => {
    const document = { cookie: '' };
    documentCookies(document as Unclobbered<Document>).write('id=1; path=/');
    expect(document.cookie).toBe('id=1; path=/');
  });

  it('has none where access is forbidden', () => {
    const jar = documentCookies(sandboxed);
    expect(jar.read('id')).toBeUndefined();
    expect(() => jar.write('id=1')).not.toThrow();
  });
});
