import type { Locator } from 'playwright-core';

/**
 * Replaces the text of a field by keys, as a person does. Playwright's `fill` sets the value of a field in Firefox in a
 * way that React takes for its own, so that the page does not hear of it.
 */
export const typeInto = async (field: Locator, text: string): Promise<void> => {
  await field.press('ControlOrMeta+a');
  if (text === '') await field.press('Delete');
  else await field.pressSequentially(text);
};
