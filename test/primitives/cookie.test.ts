import { type Cookie, cookieText, expiryDate } from '../../src/primitives/cookie';

const cookie: Cookie = {
  name: 'permutive-id',
  value: 'id',
  domain: 'site.example',
  expires: new Date(Date.UTC(2026, 6, 1)),
};
const rest = '; expires=Wed, 01 Jul 2026 00:00:00 GMT; domain=site.example; path=/; SameSite=none; secure';
/** A cookie whose finished text has that many bytes. */
const ofBytes = (bytes: number): Cookie => ({ ...cookie, value: 'x'.repeat(bytes - `permutive-id=${rest}`.length) });
const tooLarge = new Error('Cookie exceeds maximum supported size of 4096 bytes for most browsers');

describe('cookieText', () => {
  it('is the finished cookie', () => {
    expect(cookieText(cookie)).toBe(`permutive-id=id${rest}`);
  });

  it('escapes the value', () => {
    expect(cookieText({ ...cookie, value: '["a";"b, c"]' })).toBe(`permutive-id=%5B%22a%22%3B%22b%2C%20c%22%5D${rest}`);
  });

  it('may have 4096 bytes', () => {
    const text = cookieText(ofBytes(4096));
    expect(text).toHaveProperty('length', 4096);
  });

  it('may not have 4097', () => {
    expect(cookieText(ofBytes(4097))).toEqual(tooLarge);
  });

  it('counts bytes, not characters', () => {
    // Escaped, each letter has six bytes.
    expect(typeof cookieText({ ...cookie, value: 'é'.repeat(600) })).toBe('string');
    expect(cookieText({ ...cookie, value: 'é'.repeat(700) })).toEqual(tooLarge);
    expect(cookieText({ ...cookie, name: 'é'.repeat(2048) })).toEqual(tooLarge);
  });

  it('has as many first items of a list as fit', () => {
    const items = Array.from({ length: 1000 }, (_, i) => JSON.stringify(`code ${i}`));
    const text = cookieText({ ...cookie, value: items }) as string;
    const [, value = ''] = /=([^;]*);/.exec(text) ?? [];
    const stored = JSON.parse(decodeURIComponent(value)) as readonly string[];
    expect(stored.length).toBeGreaterThan(150);
    expect(stored).toEqual(items.slice(0, stored.length).map((item) => JSON.parse(item) as string));
    expect(text.length).toBeLessThanOrEqual(4096);
    const oneMore = `[${items.slice(0, stored.length + 1).join()}]`;
    expect(cookieText({ ...cookie, value: oneMore })).toEqual(tooLarge);
  });

  it.each([[[]], [['"a"']], [['"a"', '"é"', '3']]])('has a short list as it is: %j', (items) => {
    expect(cookieText({ ...cookie, value: items })).toBe(cookieText({ ...cookie, value: `[${items.join()}]` }));
  });

  it('fills 4096 bytes to the last one with a list', () => {
    const room = 4096 - `permutive-id=%5B%5D${rest}`.length;
    const item = 'x'.repeat(room);
    expect(cookieText({ ...cookie, value: [item] })).toHaveProperty('length', 4096);
    expect(cookieText({ ...cookie, value: [`${item}x`] })).toBe(cookieText({ ...cookie, value: '[]' }));
    const [a, c] = [item.slice(0, -100), item.slice(0, 97)];
    expect(cookieText({ ...cookie, value: [a, c] })).toHaveProperty('length', 4096);
    expect(cookieText({ ...cookie, value: [a, `${c}x`] })).toBe(cookieText({ ...cookie, value: `[${a}]` }));
  });

  it.each([
    [{ name: '' }, 'name'],
    [{ value: '' }, 'value'],
    [{ domain: '' }, 'domain'],
    [{ expires: new Date(NaN) }, 'expiry'],
    [{ name: '', value: '', domain: '', expires: new Date(NaN) }, 'name, value, domain, expiry'],
  ])('needs all of its fields: %p', (missing, fields) => {
    expect(cookieText({ ...cookie, ...missing })).toEqual(new Error(`Cookie is missing required fields: ${fields}`));
  });
});

describe('expiryDate', () => {
  const now = Date.UTC(2026, 0, 15, 12);

  it.each([
    ['6 months', '2026-07-15T12:00:00.000Z'],
    ['1 month', '2026-02-15T12:00:00.000Z'],
    ['12 months', '2027-01-15T12:00:00.000Z'],
    ['30 days', '2026-02-14T12:00:00.000Z'],
    ['1 day', '2026-01-16T12:00:00.000Z'],
    ['0 days', '2026-01-15T12:00:00.000Z'],
  ])('%s', (expiry, expected) => {
    expect(expiryDate(expiry, now).toISOString()).toBe(expected);
  });

  it.each(['', '6', 'months', '6 weeks', '-1 days', '6  months', '1.5 months', '6 months ', '10000 days'])(
    'is no date for %p',
    (expiry) => {
      expect(expiryDate(expiry, now).getTime()).toBeNaN();
    },
  );
});
