/** What a page or project may give `permutive.addon('dfp', …)`; defaults of spec S§9. */
export interface DfpOptions {
  /** False: the page starts the addon, and another view starts it over. */
  readonly auto_init: boolean;
  readonly track_slot_rendered: boolean;
  readonly track_slot_viewable: boolean;
  readonly track_slot_clicked: boolean;
  /** Slot events carry the slot's own targeting. */
  readonly track_targeting_keys: boolean;
  /** Origins, besides the page's own, of frames whose `google_ad_click` messages count. Compared whole. */
  readonly click_origins: readonly string[];
}
