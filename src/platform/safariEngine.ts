/** Whether the browser uses Safari's engine, as every browser on iOS does. */
export const hasSafariEngine = (userAgent: string): boolean => /AppleWebKit(?!.*Chrome)/.test(userAgent);
