import webpack from 'webpack';

import { kitFile, kitName, sharedPackages } from './kit';

/** Settings of webpack by which files of any folder find the kit, and the packages that they share with the SDK. */
export const outsideResolution = (root: string) => ({
  resolve: { alias: { [`${kitName}$`]: kitFile(root) } },
  plugins: [
    new webpack.NormalModuleReplacementPlugin(sharedPackages, (request: { context: string }) => {
      request.context = root;
    }),
  ],
});
