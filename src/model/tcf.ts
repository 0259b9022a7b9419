/** What the page's consent platform says, once it has decided (spec C§6). */
export interface Tcf {
  readonly gdprApplies: boolean;
  readonly tcString: string;
  /** A vendor without consent is false or absent. */
  readonly vendorConsents: Readonly<Record<string, boolean | undefined>>;
}

/** Where GDPR does not apply, consent is assumed. */
export const allowsVendor = ({ gdprApplies, vendorConsents }: Tcf, vendorId: number): boolean =>
  !gdprApplies || (Object.hasOwn(vendorConsents, vendorId) && vendorConsents[vendorId] === true);
