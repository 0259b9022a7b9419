/** The keys that WebDriver has code points for, by the names that Playwright gives them. */
const keyCodes: Readonly<Record<string, string>> = {
  ...{ Backspace: '\uE003', Tab: '\uE004', Enter: '\uE007', Escape: '\uE00C', Space: ' ', Delete: '\uE017' },
  ...{ Shift: '\uE008', Control: '\uE009', ControlOrMeta: '\uE009', Alt: '\uE00A', Meta: '\uE03D' },
  ...{ PageUp: '\uE00E', PageDown: '\uE00F', End: '\uE010', Home: '\uE011' },
  ...{ ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015' },
};

const actionsOf = (actions: readonly object[]) => ({ actions: [{ type: 'key', id: 'keys', actions }] });

/** The actions that press keys together, such as `Alt+Shift+P`. */
export const pressOf = (keys: string): object => {
  const values = keys.split('+').map((key) => keyCodes[key] ?? key);
  const all = (type: 'keyDown' | 'keyUp') => values.map((value) => ({ type, value }));
  return actionsOf([...all('keyDown'), ...all('keyUp').reverse()]);
};

/** The actions that type a text, one key after the other. */
export const typeOf = (text: string): object =>
  actionsOf(
    Array.from(text).flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]),
  );
