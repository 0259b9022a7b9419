import type { Compilation, WebpackPluginInstance } from 'webpack';

export const noticesFile: string;
export const noticesOf: (files: readonly string[], root: string) => string;
export const mergedNotices: (texts: readonly string[]) => string;
export const thirdPartyNotices: (root: string, folder: string, count: number) => WebpackPluginInstance;
export const bundledFiles: (compilation: Compilation) => readonly string[];
