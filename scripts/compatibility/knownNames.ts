/**
 * Features newer than the oldest browsers that the scripts may use, because they ask for the feature first, each with
 * what happens where it is missing.
 */
export const guarded: Readonly<Record<string, string>> = {
  scheduler: 'a message ends the task instead',
  yield: 'a message ends the task instead',
  'Navigator.locks': 'leases in local storage stand for locks',
  'LockManager.request': 'leases in local storage stand for locks',
  trustedTypes: 'the browser has no such policy to satisfy',
  createPolicy: 'the browser has no such policy to satisfy',
  createScript: 'the browser has no such policy to satisfy',
  createScriptURL: 'the browser has no such policy to satisfy',
  createHTML: 'called by the browser alone',
  getAttributeType: 'DOMPurify asks for Trusted Types first',
  randomUUID: 'the method answers nothing',
  replaceSync: 'a style element is added',
  databases: 'the doctor takes the databases for usable',
  'Document.prerendering': 'the browser prerenders no page',
  estimate: 'the doctor tells no quota',
  PerformanceEventTiming: 'web-vitals measures no interactions',
  'Performance.interactionCount': 'web-vitals counts the entries that it sees',
  'Navigator.globalPrivacyControl': 'a browser without it does not object',
  'Navigator.connection': 'React asks for it first',
  ViewTransition: 'a name in texts of React',
  startViewTransition: 'React asks for it first, for a component that nothing here renders',
  skipTransition: 'called on what `startViewTransition` has answered',
  showModal: 'an overlay stands in its layer, and keeps the keyboard by itself',
  showPopover: 'the inspector stands in its layer',
  reportError: 'React takes the console instead',
};

/** Methods of the scripts' own that bear the name of a newer one of the browser. */
export const ownNames: readonly string[] = [
  ...['changed', 'draw', 'drop', 'first', 'forget', 'format', 'getState', 'grow', 'hide', 'in'],
  ...[
    'node',
    'path',
    'Profiler',
    'provider',
    'reasons',
    'records',
    'run',
    'scan',
    'segments',
    'session',
    'subscribe',
    'take',
  ],
  ...['transition', 'turn', 'unsubscribe', 'use'],
  // The names of a virtual clock of RxJS.
  ...['clearImmediate', 'setImmediate'],
];
