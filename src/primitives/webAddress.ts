import { orNone } from './orNone';

/**
 * The absolute address, if it is http(s). Undefined for any other, because `data:` holds content, and `mailto:` and
 * `tel:` name a person.
 */
export const webAddress = (address: string, base?: string): string | undefined =>
  orNone(() => {
    const { protocol, href } = new URL(address, base);
    return /^https?:$/.test(protocol) ? href : undefined;
  });
