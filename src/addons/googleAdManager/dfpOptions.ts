import { AnyBoolean } from '../../codecs/codecs';
import { optionsOf } from '../../codecs/options';

/** What a page or project may give `permutive.addon('dfp', …)`; defaults of spec S§9. */
export const dfpOptions = optionsOf({
  /** False: the page starts the addon, and another view starts it over. */
  auto_init: [AnyBoolean, true],
  /** Track SlotRendered for each ad that is rendered, and for each slot that stays empty. */
  track_slot_rendered: [AnyBoolean, true],
  track_slot_viewable: [AnyBoolean, true],
  /** Track SlotClicked for clicks that are recognised by focus or by message. */
  track_slot_clicked: [AnyBoolean, true],
  /** Slot events carry the slot's own targeting. */
  track_targeting_keys: [AnyBoolean, false],
});
export type DfpOptions = ReturnType<typeof dfpOptions>;
