import { ownFields } from '../hardening/ownFields';

const algorithm = 'AES-GCM';
const ivBytes = 12;
const headerBytes = 16;

/**
 * Makes a key for this browser alone: it can be stored and used, and never read. Rejects where the page has no
 * WebCrypto, which needs https.
 */
export const newKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey(ownFields({ name: algorithm, length: 256 }), false, ['encrypt', 'decrypt']);

/** Whether a stored value is a key of {@link newKey}, as far as can be seen. */
export const isKey = (stored: unknown): stored is CryptoKey =>
  (stored as Partial<CryptoKey> | null | undefined)?.algorithm?.name === algorithm;

/**
 * Encrypts a text. The blob holds the iv (12 bytes), the length of the plain text (4 bytes, big endian) and the cipher
 * text (spec C§9). Each call has an iv of its own.
 */
export const seal = async (key: CryptoKey, text: string): Promise<ArrayBuffer> => {
  const plain = new TextEncoder().encode(text);
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const cipher = await crypto.subtle.encrypt(ownFields({ name: algorithm, iv }), key, plain);
  const blob = new Uint8Array(headerBytes + cipher.byteLength);
  blob.set(iv);
  new DataView(blob.buffer).setUint32(ivBytes, plain.length);
  blob.set(new Uint8Array(cipher), headerBytes);
  return blob.buffer;
};

/**
 * Names the write that has made a blob, because each write has an iv of its own. Null where there is no blob, empty
 * where what is stored is none.
 */
export const ivOf = (blob: unknown): string | null => {
  if (blob === undefined) return null;
  try {
    return new Uint8Array(blob as ArrayBuffer, 0, ivBytes).join();
  } catch {
    return '';
  }
};

/**
 * Reads the text of an encrypted blob. Never rejects: where a bit of it has changed, or the key is another, the text is
 * empty, which is no JSON.
 */
export const unseal = async (key: CryptoKey, blob: unknown): Promise<string> => {
  try {
    const bytes = blob as ArrayBuffer;
    const plain = await crypto.subtle.decrypt(
      ownFields({ name: algorithm, iv: new Uint8Array(bytes, 0, ivBytes) }),
      key,
      new Uint8Array(bytes, headerBytes),
    );
    return new DataView(bytes).getUint32(ivBytes) === plain.byteLength ? new TextDecoder().decode(plain) : '';
  } catch {
    return '';
  }
};
