const algorithm = 'AES-GCM';
const ivBytes = 12;
const headerBytes = 16;

/**
 * A key for this browser alone: it can be stored and used, and never read. Rejects where the page has no WebCrypto (no
 * https).
 */
export const newKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: algorithm, length: 256 }, false, ['encrypt', 'decrypt']);

/** Whether this came out of {@link newKey}, as far as can be seen. */
export const isKey = (stored: unknown): stored is CryptoKey =>
  (stored as Partial<CryptoKey> | null | undefined)?.algorithm?.name === algorithm;

/** Encrypts a text: iv (12 bytes), length of the plain text (4 bytes, big endian), cipher text (spec C§9). */
export const seal = async (key: CryptoKey, text: string): Promise<ArrayBuffer> => {
  const plain = new TextEncoder().encode(text);
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const cipher = await crypto.subtle.encrypt({ name: algorithm, iv }, key, plain);
  const blob = new Uint8Array(headerBytes + cipher.byteLength);
  blob.set(iv);
  new DataView(blob.buffer).setUint32(ivBytes, plain.length);
  blob.set(new Uint8Array(cipher), headerBytes);
  return blob.buffer;
};

/** The text of a blob; empty, which is no JSON, where a single bit of it has changed or the key is another. */
export const unseal = async (key: CryptoKey, blob: unknown): Promise<string> => {
  try {
    const bytes = blob as ArrayBuffer;
    const plain = await crypto.subtle.decrypt(
      { name: algorithm, iv: new Uint8Array(bytes, 0, ivBytes) },
      key,
      new Uint8Array(bytes, headerBytes),
    );
    return new DataView(bytes).getUint32(ivBytes) === plain.byteLength ? new TextDecoder().decode(plain) : '';
  } catch {
    return '';
  }
};
