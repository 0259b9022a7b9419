/** Something that an addon did. */
export interface AddonEffect {
  /** `event`: it wanted an event tracked. `removal`: it took away what was stored. */
  readonly kind: 'request' | 'script' | 'storage' | 'layer' | 'pageCall' | 'removal' | 'event';
  /** Name and first argument, such as `writeKey(_pdfps)`; of an event, its name. */
  readonly what: string;
  /** Address or script: the text that may name hosts. Empty for all other kinds. */
  readonly text: string;
}

/** Notes an effect at the moment at which it happens. */
export type RecordEffect = (effect: AddonEffect) => void;

/** Effects as a text, in their order. */
export const effectsText = (effects: readonly AddonEffect[]): string => effects.map(({ what }) => what).join(', ');
