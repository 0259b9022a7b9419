import { eventPartner } from './eventPartner';

/** The part of TikTok's pixel that the SDK uses, by its documented names. */
interface Ttq {
  readonly track: (name: string, properties?: object) => unknown;
  /** One of several pixels of the page. */
  readonly instance?: (pixelId: string) => Pick<Ttq, 'track'>;
}

/** Tells TikTok's pixel of segments, by custom events (spec S§4): `ttq.track(…)`, of the one pixel that is named. */
export const tiktok = eventPartner<Ttq>({
  name: 'tiktok',
  global: 'ttq',
  isPixel: (global): global is Ttq => typeof (global as Partial<Ttq> | null | undefined)?.track === 'function',
  send: (ttq, { name, properties, pixelId }) =>
    (pixelId === '' ? ttq : (ttq.instance?.(pixelId) ?? ttq)).track(name, ...properties),
});
