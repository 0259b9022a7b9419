export type BrowserName = 'chromium' | 'firefox' | 'webkit';

/** The browser of this run; `jest.config.js` has a project for each. */
export const browserName = (globalThis as { readonly testedBrowser?: BrowserName }).testedBrowser ?? 'chromium';
