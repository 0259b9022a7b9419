/** Methods of the documented tag, which keeps their calls from the start on. All others come with the script. */
export const tagMethods = [
  'addon',
  'identify',
  'track',
  'trigger',
  'query',
  'segment',
  'segments',
  'ready',
  'on',
  'once',
  'user',
  'consent',
] as const;
