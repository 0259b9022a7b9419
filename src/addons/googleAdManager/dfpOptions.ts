/** What a page or project may give `permutive.addon('dfp', …)`; defaults of spec S§9. */
export interface DfpOptions {
  /** False: the page starts the addon, and another view starts it over. */
  readonly auto_init: boolean;
  /** Track SlotRendered for each ad that is rendered, and for each slot that stays empty. */
  readonly track_slot_rendered: boolean;
  readonly track_slot_viewable: boolean;
  /** Track SlotClicked for clicks that are recognised by focus or by message. */
  readonly track_slot_clicked: boolean;
  /** Slot events carry the slot's own targeting. */
  readonly track_targeting_keys: boolean;
  /**
   * Origins, besides the page's own, of frames whose `google_ad_click` messages count. Origins are compared as a whole.
   */
  readonly click_origins: readonly string[];
}
