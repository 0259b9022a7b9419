import { isKey, newKey, seal, unseal } from '../../src/platform/encryption';

const text = '[{"id":"a","title":"“Zürich” \\ 😀"}]';
const bytes = new TextEncoder().encode(text);

describe('a blob', () => {
  it('is the iv, the length of the plain text in big endian, and the cipher text with its tag', async () => {
    const key = await newKey();
    const blob = new Uint8Array(await seal(key, text));
    expect(blob).toHaveLength(12 + 4 + bytes.length + 16);
    expect([...blob.subarray(12, 16)]).toEqual([0, 0, 0, bytes.length]);
    const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: blob.subarray(0, 12) }, key, blob.subarray(16));
    expect([...new Uint8Array(plain)]).toEqual([...bytes]);
  });

  it('has its length in four bytes', async () => {
    const blob = new Uint8Array(await seal(await newKey(), 'x'.repeat(0x01_02_03)));
    expect([...blob.subarray(12, 16)]).toEqual([0, 1, 2, 3]);
  });

  it.each(['', text, 'x'.repeat(100_000), '\u0000', '[]'])('gives its text back', async (plain) => {
    const key = await newKey();
    await expect(unseal(key, await seal(key, plain))).resolves.toBe(plain);
  });

  it('is another each time', async () => {
    const key = await newKey();
    const blobs = await Promise.all(Array.from({ length: 100 }, () => seal(key, text)));
    expect(new Set(blobs.map((blob) => Buffer.from(blob, 0, 12).toString('hex'))).size).toBe(100);
    expect(new Set(blobs.map((blob) => Buffer.from(blob, 16).toString('hex'))).size).toBe(100);
  });

  it('shows nothing of the text', async () => {
    expect(Buffer.from(await seal(await newKey(), text.repeat(10))).toString('latin1')).not.toContain('title');
  });

  it('of another key is nothing', async () => {
    await expect(unseal(await newKey(), await seal(await newKey(), text))).resolves.toBe('');
  });

  it('with any one bit changed is nothing', async () => {
    const key = await newKey();
    const sealed = await seal(key, text);
    const read: string[] = [];
    for (let bit = 0; bit < sealed.byteLength * 8; bit += 1) {
      const changed = new Uint8Array(sealed.slice(0));
      changed[bit >> 3]! ^= 1 << (bit & 7);
      read.push(await unseal(key, changed.buffer));
    }
    expect(read.length).toBeGreaterThan(500);
    expect(new Set(read)).toEqual(new Set(['']));
  });

  it('cut off anywhere, or made longer, is nothing', async () => {
    const key = await newKey();
    const sealed = await seal(key, text);
    const lengths = Array.from({ length: sealed.byteLength }, (_, i) => i);
    const longer = new Uint8Array(sealed.byteLength + 1);
    longer.set(new Uint8Array(sealed));
    const read = await Promise.all([
      ...lengths.map((length) => unseal(key, sealed.slice(0, length))),
      unseal(key, longer.buffer),
    ]);
    expect(new Set(read)).toEqual(new Set(['']));
  });

  it.each([undefined, null, '', '[]', 7, {}, [], new Blob(['garbage']), new Uint8Array(40)])(
    'is no %p',
    async (value) => {
      await expect(unseal(await newKey(), value)).resolves.toBe('');
    },
  );
});

describe('a key', () => {
  it('has 256 bits, encrypts and decrypts, and cannot be read', async () => {
    const key = await newKey();
    expect(key).toMatchObject({
      algorithm: { name: 'AES-GCM', length: 256 },
      extractable: false,
      usages: ['encrypt', 'decrypt'],
    });
    expect(isKey(key)).toBe(true);
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toMatchObject({ message: 'key is not extractable' });
  });

  it.each([undefined, null, 'key', {}, { algorithm: null }, { algorithm: { name: 'AES-CBC' } }])(
    'is no %p',
    (stored) => {
      expect(isKey(stored)).toBe(false);
    },
  );
});
