import { mapItems } from '../../primitives/lists';

/** The segment of a TC string that names disclosed vendors. The first 3 bits, 001, are its type: a digit of I to P. */
const segmentPattern = /\.([I-P][\w-]*)/;
/** The digits of a segment, each worth 6 bits. */
const base64UrlDigits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Which vendors were shown to the visitor, as a TC string says (IAB, «Consent string and vendor list formats v2»,
 * «Disclosed Vendors»; mandatory from TCF 2.3 on). Undefined where the string has no such segment. Vendors that are
 * missing in a segment, because it is empty or cut off, were not shown.
 */
export const disclosedVendors = (tcString: string): ((vendorId: number) => boolean) | undefined => {
  const segment = segmentPattern.exec(tcString)?.[1];
  if (segment === undefined) return undefined;

  const bits = mapItems(segment, (digit) => base64UrlDigits.indexOf(digit).toString(2).padStart(6, '0')).join('');
  // NaN after the end.
  const numberAt = (from: number, length: number): number => Number.parseInt(bits.slice(from, from + length), 2);
  const isInRange = (vendorId: number): boolean => {
    const count = numberAt(20, 12);
    let at = 32;
    for (let i = 0; i < count; i++) {
      const isPair = numberAt(at, 1) === 1;
      const first = numberAt(at + 1, 16);
      const last = isPair ? numberAt(at + 17, 16) : first;
      at += isPair ? 33 : 17;
      // What is cut off would be another number.
      if (at > bits.length) return false;
      if (first <= vendorId && vendorId <= last) return true;
    }
    return false;
  };
  const highest = numberAt(3, 16);
  const isRangeEncoded = numberAt(19, 1) === 1;
  return (vendorId) => vendorId <= highest && (isRangeEncoded ? isInRange(vendorId) : numberAt(19 + vendorId, 1) === 1);
};
