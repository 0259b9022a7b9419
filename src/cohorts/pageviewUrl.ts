import type { Event } from '../model/event';

/** The address of the page that was viewed, without personal parts. Our own code writes `client` into each event. */
export const clientUrlOf = ({ properties }: Event): string => (properties['client'] as { readonly url: string }).url;
