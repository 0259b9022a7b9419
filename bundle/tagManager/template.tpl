___TERMS_OF_SERVICE___

By creating or modifying this file you agree to Google Tag Manager's Community
Template Gallery Developer Terms of Service available at
https://developers.google.com/tag-manager/gallery-tos (or such other URL as
Google may provide), as modified from time to time.


___INFO___

{
  "type": "TAG",
  "id": "cvt_temp_public_id",
  "version": 1,
  "securityGroups": [],
  "displayName": "Permutive web SDK",
  "categories": [
    "ADVERTISING",
    "ANALYTICS",
    "PERSONALIZATION"
  ],
  "brand": {
    "id": "brand_dummy",
    "displayName": ""
  },
  "description": "Loads the audience SDK into the page, counts page views, tracks events and tells who the visitor is.",
  "containerContexts": [
    "WEB"
  ]
}


___TEMPLATE_PARAMETERS___

[
  {
    "type": "RADIO",
    "name": "action",
    "displayName": "What the tag does",
    "simpleValueType": true,
    "defaultValue": "page",
    "radioItems": [
      {
        "value": "page",
        "displayValue": "Count a page view, and load the SDK where the page has not"
      },
      {
        "value": "event",
        "displayValue": "Track an event"
      },
      {
        "value": "identify",
        "displayValue": "Tell who the visitor is"
      }
    ]
  },
  {
    "type": "GROUP",
    "name": "project",
    "displayName": "Project",
    "groupStyle": "NO_ZIPPY",
    "enablingConditions": [
      {
        "paramName": "action",
        "paramValue": "page",
        "type": "EQUALS"
      }
    ],
    "subParams": [
      {
        "type": "TEXT",
        "name": "workspaceId",
        "displayName": "Workspace ID",
        "simpleValueType": true,
        "defaultValue": "",
        "valueValidators": [
          {
            "type": "NON_EMPTY",
            "errorMessage": "Enter the workspace ID of the project"
          }
        ]
      },
      {
        "type": "TEXT",
        "name": "apiKey",
        "displayName": "API key",
        "simpleValueType": true,
        "defaultValue": "",
        "valueValidators": [
          {
            "type": "NON_EMPTY",
            "errorMessage": "Enter the API key of the project"
          }
        ]
      },
      {
        "type": "SELECT",
        "name": "consentType",
        "displayName": "Consent",
        "macrosInSelect": false,
        "simpleValueType": true,
        "defaultValue": "none",
        "selectItems": [
          {
            "value": "none",
            "displayValue": "Not told by this tag"
          },
          {
            "value": "ad_storage",
            "displayValue": "Consent mode: ad_storage"
          },
          {
            "value": "ad_user_data",
            "displayValue": "Consent mode: ad_user_data"
          },
          {
            "value": "ad_personalization",
            "displayValue": "Consent mode: ad_personalization"
          },
          {
            "value": "analytics_storage",
            "displayValue": "Consent mode: analytics_storage"
          },
          {
            "value": "personalization_storage",
            "displayValue": "Consent mode: personalization_storage"
          }
        ],
        "help": "With a type of consent mode, the SDK is loaded once the visitor has granted it, and is told when the visitor withdraws it. A type that the page sets no default for counts as granted."
      }
    ]
  },
  {
    "type": "SIMPLE_TABLE",
    "name": "pageProperties",
    "displayName": "Properties of the page",
    "simpleTableColumns": [
      {
        "defaultValue": "",
        "displayName": "Property",
        "name": "name",
        "type": "TEXT",
        "isUnique": true,
        "valueValidators": [
          {
            "type": "NON_EMPTY",
            "errorMessage": "Name the property"
          }
        ]
      },
      {
        "defaultValue": "",
        "displayName": "Value",
        "name": "value",
        "type": "TEXT"
      }
    ],
    "newRowButtonText": "Add property",
    "help": "A dot in the name makes nested properties: article.section. A variable keeps its type: number, list or object. A property whose variable is undefined is left out.",
    "enablingConditions": [
      {
        "paramName": "action",
        "paramValue": "page",
        "type": "EQUALS"
      }
    ]
  },
  {
    "type": "TEXT",
    "name": "eventName",
    "displayName": "Name of the event",
    "simpleValueType": true,
    "defaultValue": "",
    "valueHint": "NewsletterSignup",
    "valueValidators": [
      {
        "type": "NON_EMPTY",
        "errorMessage": "Name the event"
      },
      {
        "type": "REGEX",
        "args": [
          "^[A-Za-z0-9_]+$"
        ],
        "errorMessage": "Letters, digits and underscores only"
      }
    ],
    "enablingConditions": [
      {
        "paramName": "action",
        "paramValue": "event",
        "type": "EQUALS"
      }
    ]
  },
  {
    "type": "SIMPLE_TABLE",
    "name": "eventProperties",
    "displayName": "Properties of the event",
    "simpleTableColumns": [
      {
        "defaultValue": "",
        "displayName": "Property",
        "name": "name",
        "type": "TEXT",
        "isUnique": true,
        "valueValidators": [
          {
            "type": "NON_EMPTY",
            "errorMessage": "Name the property"
          }
        ]
      },
      {
        "defaultValue": "",
        "displayName": "Value",
        "name": "value",
        "type": "TEXT"
      }
    ],
    "newRowButtonText": "Add property",
    "help": "A dot in the name makes nested properties: article.section. A variable keeps its type: number, list or object. A property whose variable is undefined is left out.",
    "enablingConditions": [
      {
        "paramName": "action",
        "paramValue": "event",
        "type": "EQUALS"
      }
    ]
  },
  {
    "type": "SIMPLE_TABLE",
    "name": "ids",
    "displayName": "IDs of the visitor, the most important first",
    "simpleTableColumns": [
      {
        "defaultValue": "",
        "displayName": "ID",
        "name": "id",
        "type": "TEXT",
        "valueValidators": [
          {
            "type": "NON_EMPTY",
            "errorMessage": "Choose the variable of the ID"
          }
        ]
      },
      {
        "defaultValue": "default",
        "displayName": "Tag",
        "name": "tag",
        "type": "TEXT",
        "isUnique": true,
        "valueValidators": [
          {
            "type": "NON_EMPTY",
            "errorMessage": "Name the kind of ID"
          }
        ]
      }
    ],
    "newRowButtonText": "Add ID",
    "valueValidators": [
      {
        "type": "NON_EMPTY",
        "errorMessage": "Add an ID"
      }
    ],
    "help": "An ID whose variable is undefined or empty is left out. Where all are, the SDK is told nothing.",
    "enablingConditions": [
      {
        "paramName": "action",
        "paramValue": "identify",
        "type": "EQUALS"
      }
    ]
  }
]


___SANDBOXED_JS_FOR_WEB_TEMPLATE___

const addConsentListener = require('addConsentListener');
const callInWindow = require('callInWindow');
const copyFromWindow = require('copyFromWindow');
const createQueue = require('createQueue');
const encodeUriComponent = require('encodeUriComponent');
const getType = require('getType');
const injectScript = require('injectScript');
const isConsentGranted = require('isConsentGranted');
const logToConsole = require('logToConsole');
const Object = require('Object');
const makeString = require('makeString');
const setInWindow = require('setInWindow');
const templateStorage = require('templateStorage');

const cdn = 'https://cdn.permutive.com/';
const usesConsentMode = data.consentType !== undefined && data.consentType !== 'none';

// The methods whose calls a page may make before the SDK has loaded, as in the text for a page's head.
const keptMethods = [
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
];

// Whether the page has the SDK, or a stub that keeps calls for it.
const hasSdk = () => getType(copyFromWindow('permutive.track')) === 'function';

// Puts a stub into the page. Answers whether the page had no other object of that name. The sandbox copies what goes
// into the page, so the queue is filled through its own function.
const setStub = () => {
  const config = {
    apiKey: makeString(data.apiKey),
    workspaceId: makeString(data.workspaceId),
    environment: 'production',
  };
  if (usesConsentMode) config.consentRequired = true;
  if (!setInWindow('permutive', { q: [], config: config }, false)) return false;
  const keep = createQueue('permutive.q');
  keptMethods.forEach((name) => {
    const stub = (first, second, third) => keep({ functionName: name, arguments: [first, second, third] });
    setInWindow('permutive.' + name, stub, true);
  });
  return true;
};

const load = (onSuccess, onFailure) => {
  const url = cdn + encodeUriComponent(makeString(data.workspaceId)) + '-web.js';
  injectScript(url, onSuccess, () => {
    logToConsole('Permutive: the script has not loaded: ' + url);
    onFailure();
  });
};

// Tells the SDK each change of the visitor's answer. A visitor who has not granted consent yet may still be asked, and
// has not refused: the SDK is told nothing, and is not loaded. onGranted is called once, before the SDK is told.
const followConsentMode = (onGranted) => {
  let isLoaded = false;
  let isGiven = false;
  const answer = (isGranted) => {
    if (isGranted === isGiven) return;
    isGiven = isGranted;
    if (!isLoaded) {
      isLoaded = true;
      onGranted();
    }
    callInWindow('permutive.consent', isGranted ? { opt_in: true, token: 'CONSENT_CAPTURED' } : { opt_in: false });
  };
  addConsentListener(data.consentType, (consentType, isGranted) => answer(isGranted));
  answer(isConsentGranted(data.consentType));
};

// An object that may be changed: two rows of a table can have the object of the same variable.
const copyOf = (value) => {
  const copy = {};
  if (getType(value) === 'object') {
    Object.keys(value).forEach((key) => {
      copy[key] = value[key];
    });
  }
  return copy;
};

// The properties of a table's rows, nested where a name has dots. One whose variable is undefined is left out.
const propertiesOf = (rows) => {
  const properties = {};
  (rows || []).forEach((row) => {
    if (row.value === undefined) return;
    const path = makeString(row.name).split('.');
    const last = path.pop();
    let parent = properties;
    path.forEach((name) => {
      parent[name] = copyOf(parent[name]);
      parent = parent[name];
    });
    parent[last] = row.value;
  });
  return properties;
};

// The IDs that are known, in the order of the table.
const idsOf = (rows) =>
  (rows || [])
    .filter((row) => row.id !== undefined && row.id !== null && row.id !== '')
    .map((row) => ({ tag: makeString(row.tag), id: makeString(row.id) }));

// What the tag tells the SDK: the name of a method, and what the method is given. Undefined where no ID is known.
const callOf = () => {
  if (data.action === 'event') return ['track', makeString(data.eventName), propertiesOf(data.eventProperties)];
  if (data.action === 'identify') {
    const ids = idsOf(data.ids);
    return ids.length > 0 ? ['identify', ids] : undefined;
  }
  return ['addon', 'web', { page: propertiesOf(data.pageProperties) }];
};

const make = (call) => {
  if (call.length > 2) callInWindow('permutive.' + call[0], call[1], call[2]);
  else callInWindow('permutive.' + call[0], call[1]);
};

// Makes the call. Calls that come before the page has the SDK follow the first page view.
const tell = (call) => {
  const earlier = templateStorage.getItem('waiting') || [];
  if (hasSdk()) {
    templateStorage.setItem('waiting', []);
    const calls = data.action === 'page' ? [call].concat(earlier) : earlier.concat([call]);
    calls.forEach(make);
  } else {
    templateStorage.setItem('waiting', earlier.concat([call]));
  }
};

// Tells how the tag has ended, once.
let hasEnded = false;
const end = (callback) => {
  if (!hasEnded) {
    hasEnded = true;
    callback();
  }
};

const call = callOf();
const isFirstView = data.action === 'page' && !templateStorage.getItem('hasStarted');
const lacksSdk = isFirstView && !hasSdk();

if (lacksSdk && !setStub()) {
  logToConsole('Permutive: the page uses the name window.permutive for something else');
  data.gtmOnFailure();
} else {
  let isLoading = false;
  const loadMissing = () => {
    if (!lacksSdk) return;
    isLoading = true;
    load(() => end(data.gtmOnSuccess), () => end(data.gtmOnFailure));
  };
  if (isFirstView) {
    templateStorage.setItem('hasStarted', true);
    if (usesConsentMode) followConsentMode(loadMissing);
    else loadMissing();
  }
  if (call !== undefined) tell(call);
  if (!isLoading) end(data.gtmOnSuccess);
}


___WEB_PERMISSIONS___

[
  {
    "instance": {
      "key": {
        "publicId": "access_consent",
        "versionId": "1"
      },
      "param": [
        {
          "key": "consentTypes",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "ad_storage"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "ad_user_data"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "ad_personalization"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "analytics_storage"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "consentType"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "personalization_storage"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  },
  {
    "instance": {
      "key": {
        "publicId": "access_globals",
        "versionId": "1"
      },
      "param": [
        {
          "key": "keys",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.q"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.addon"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.identify"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.track"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.trigger"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.query"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.segment"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.segments"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.ready"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.on"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.once"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.user"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": false
                  }
                ]
              },
              {
                "type": 3,
                "mapKey": [
                  {
                    "type": 1,
                    "string": "key"
                  },
                  {
                    "type": 1,
                    "string": "read"
                  },
                  {
                    "type": 1,
                    "string": "write"
                  },
                  {
                    "type": 1,
                    "string": "execute"
                  }
                ],
                "mapValue": [
                  {
                    "type": 1,
                    "string": "permutive.consent"
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  },
                  {
                    "type": 8,
                    "boolean": true
                  }
                ]
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  },
  {
    "instance": {
      "key": {
        "publicId": "access_template_storage",
        "versionId": "1"
      },
      "param": []
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  },
  {
    "instance": {
      "key": {
        "publicId": "inject_script",
        "versionId": "1"
      },
      "param": [
        {
          "key": "urls",
          "value": {
            "type": 2,
            "listItem": [
              {
                "type": 1,
                "string": "https://cdn.permutive.com/*"
              }
            ]
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  },
  {
    "instance": {
      "key": {
        "publicId": "logging",
        "versionId": "1"
      },
      "param": [
        {
          "key": "environments",
          "value": {
            "type": 1,
            "string": "debug"
          }
        }
      ]
    },
    "clientAnnotations": {
      "isEditedByUser": true
    },
    "isRequired": true
  }
]


___TESTS___

scenarios:
- name: A page view loads the SDK
  code: |-
    runCode(pageView);

    assertThat(page.scripts).isEqualTo(['https://cdn.permutive.com/WORKSPACE_ID-web.js']);
    assertThat(page.permutive).isEqualTo({
      q: [],
      config: { apiKey: 'API_KEY', workspaceId: 'WORKSPACE_ID', environment: 'production' },
    });
    assertThat(page.told).isEqualTo([['permutive.addon', 'web', { page: {} }]]);
    assertApi('gtmOnSuccess').wasNotCalled();
    page.scriptLoads();
    assertApi('gtmOnSuccess').wasCalled();
    assertApi('gtmOnFailure').wasNotCalled();
- name: A script that does not load is a failure
  code: |-
    runCode(pageView);
    page.scriptFails();

    assertApi('gtmOnFailure').wasCalled();
    assertApi('gtmOnSuccess').wasNotCalled();
    assertApi('logToConsole').wasCalledWith(
      'Permutive: the script has not loaded: https://cdn.permutive.com/WORKSPACE_ID-web.js'
    );
- name: A workspace ID cannot lead out of the folder of the script
  code: |-
    runCode({ action: 'page', workspaceId: '../a?b', apiKey: 'API_KEY', consentType: 'none' });

    assertThat(page.scripts).isEqualTo(['https://cdn.permutive.com/..%2Fa%3Fb-web.js']);
- name: The stub keeps the calls that the page makes before the SDK has loaded
  code: |-
    runCode(pageView);
    const callback = () => {};
    page.stubs['permutive.trigger']('20101', 'result', callback);
    page.stubs['permutive.segments']();

    assertThat(page.kept).isEqualTo([
      { functionName: 'trigger', arguments: ['20101', 'result', callback] },
      { functionName: 'segments', arguments: [undefined, undefined, undefined] },
    ]);
    assertThat(page.stubs['permutive.consent']).isDefined();
- name: A page that has the SDK loads no other
  code: |-
    page.hasSdk = true;
    runCode(pageView);

    assertApi('injectScript').wasNotCalled();
    assertApi('setInWindow').wasNotCalled();
    assertThat(page.told).isEqualTo([['permutive.addon', 'web', { page: {} }]]);
    assertApi('gtmOnSuccess').wasCalled();
- name: Each further page view is counted and loads nothing
  code: |-
    runCode(pageView);
    runCode(pageView);

    assertThat(page.scripts).hasLength(1);
    assertThat(page.told).hasLength(2);
    assertApi('gtmOnSuccess').wasCalled();
- name: A page that uses the name for something else is a failure
  code: |-
    page.hasOther = true;
    runCode(pageView);

    assertApi('injectScript').wasNotCalled();
    assertThat(page.told).isEqualTo([]);
    assertApi('logToConsole').wasCalledWith(
      'Permutive: the page uses the name window.permutive for something else'
    );
    assertApi('gtmOnFailure').wasCalled();
    assertApi('gtmOnSuccess').wasNotCalled();
- name: Properties are nested by dots and keep their types
  code: |-
    page.hasSdk = true;
    runCode({
      action: 'page',
      workspaceId: 'WORKSPACE_ID',
      apiKey: 'API_KEY',
      consentType: 'none',
      pageProperties: [
        { name: 'type', value: 'article' },
        { name: 'article.section.name', value: 'markets' },
        { name: 'article.words', value: 640 },
        { name: 'article.tags', value: ['copper', 'tin'] },
        { name: 'article.author', value: undefined },
        { name: 'article.subtitle', value: '' },
        { name: 'type.of', value: 'later' },
      ],
    });

    assertThat(page.told).isEqualTo([
      [
        'permutive.addon',
        'web',
        {
          page: {
            type: { of: 'later' },
            article: { section: { name: 'markets' }, words: 640, tags: ['copper', 'tin'], subtitle: '' },
          },
        },
      ],
    ]);
- name: An object that two properties share is changed in one
  code: |-
    const author = { name: 'Ada' };
    page.hasSdk = true;
    runCode({
      action: 'event',
      eventName: 'Quote',
      eventProperties: [
        { name: 'author', value: author },
        { name: 'reader', value: author },
        { name: 'author.beat', value: 'metals' },
      ],
    });

    assertThat(page.told).isEqualTo([
      ['permutive.track', 'Quote', { author: { name: 'Ada', beat: 'metals' }, reader: { name: 'Ada' } }],
    ]);
    assertThat(author).isEqualTo({ name: 'Ada' });
- name: An event is tracked
  code: |-
    page.hasSdk = true;
    runCode(signup);

    assertThat(page.told).isEqualTo([['permutive.track', 'Signup', { list: 'markets' }]]);
    assertApi('gtmOnSuccess').wasCalled();
- name: Events that come before the SDK follow the page view once
  code: |-
    runCode(signup);
    runCode({ action: 'event', eventName: 'Vote' });
    assertThat(page.told).isEqualTo([]);
    assertApi('gtmOnSuccess').wasCalled();

    runCode(pageView);
    runCode(pageView);
    assertThat(page.told).isEqualTo([
      ['permutive.addon', 'web', { page: {} }],
      ['permutive.track', 'Signup', { list: 'markets' }],
      ['permutive.track', 'Vote', {}],
      ['permutive.addon', 'web', { page: {} }],
    ]);
- name: Events that come before the SDK of the page precede the next call
  code: |-
    runCode(signup);
    page.hasSdk = true;
    runCode({ action: 'event', eventName: 'Vote' });

    assertThat(page.told).isEqualTo([
      ['permutive.track', 'Signup', { list: 'markets' }],
      ['permutive.track', 'Vote', {}],
    ]);
- name: The visitor is identified by the IDs that are known
  code: |-
    page.hasSdk = true;
    runCode({
      action: 'identify',
      ids: [
        { id: 'r-1', tag: 'reader' },
        { id: undefined, tag: 'email_sha256' },
        { id: null, tag: 'account' },
        { id: '', tag: 'household' },
        { id: 42, tag: 'subscriber' },
      ],
    });

    assertThat(page.told).isEqualTo([
      ['permutive.identify', [{ tag: 'reader', id: 'r-1' }, { tag: 'subscriber', id: '42' }]],
    ]);
    assertApi('gtmOnSuccess').wasCalled();
- name: A visitor of whom no ID is known is not identified
  code: |-
    page.hasSdk = true;
    runCode({ action: 'identify', ids: [{ id: undefined, tag: 'reader' }] });

    assertApi('callInWindow').wasNotCalled();
    assertApi('gtmOnSuccess').wasCalled();
- name: Consent that is granted is told before the page view
  code: |-
    runCode(withConsentMode);

    assertThat(page.permutive.config.consentRequired).isTrue();
    assertThat(page.scripts).hasLength(1);
    assertThat(page.told).isEqualTo([given, ['permutive.addon', 'web', { page: {} }]]);
    assertApi('isConsentGranted').wasCalledWith('ad_storage');
- name: Nothing is loaded or told of consent before it is granted
  code: |-
    page.isGranted = false;
    runCode(withConsentMode);

    assertThat(page.permutive.config.consentRequired).isTrue();
    assertApi('injectScript').wasNotCalled();
    assertThat(page.told).isEqualTo([['permutive.addon', 'web', { page: {} }]]);
    assertApi('gtmOnSuccess').wasCalled();
- name: Consent that is granted later loads the SDK once and is told at each change
  code: |-
    page.isGranted = false;
    runCode(withConsentMode);
    runCode(withConsentMode);
    page.told.splice(0, 2);

    page.consentChanges('ad_storage', true);
    assertThat(page.scripts).hasLength(1);
    page.consentChanges('ad_storage', false);
    page.consentChanges('ad_storage', true);
    page.scriptLoads();
    assertThat(page.scripts).hasLength(1);
    assertThat(page.told).isEqualTo([given, ['permutive.consent', { opt_in: false }], given]);
- name: A tag that has ended does not end again
  code: |-
    page.isGranted = false;
    runCode(withConsentMode);
    assertApi('gtmOnSuccess').wasCalled();

    page.consentChanges('ad_storage', true);
    page.scriptFails();
    assertApi('gtmOnFailure').wasNotCalled();
    assertApi('logToConsole').wasCalled();
- name: A page that has the SDK is told of consent
  code: |-
    page.hasSdk = true;
    runCode(withConsentMode);
    page.consentChanges('ad_storage', false);

    assertApi('injectScript').wasNotCalled();
    assertThat(page.told).isEqualTo([
      given,
      ['permutive.addon', 'web', { page: {} }],
      ['permutive.consent', { opt_in: false }],
    ]);
- name: Consent mode is not read where the tag does not tell consent
  code: |-
    page.isGranted = false;
    runCode(pageView);

    assertApi('isConsentGranted').wasNotCalled();
    assertApi('addConsentListener').wasNotCalled();
    assertThat(page.scripts).hasLength(1);
- name: A tag without a choice does not tell consent
  code: |-
    page.isGranted = false;
    runCode({ action: 'page', workspaceId: 'WORKSPACE_ID', apiKey: 'API_KEY' });

    assertApi('isConsentGranted').wasNotCalled();
    assertThat(page.scripts).hasLength(1);
setup: |-
  const pageView = { action: 'page', workspaceId: 'WORKSPACE_ID', apiKey: 'API_KEY', consentType: 'none' };
  const withConsentMode = { action: 'page', workspaceId: 'WORKSPACE_ID', apiKey: 'API_KEY', consentType: 'ad_storage' };
  const signup = { action: 'event', eventName: 'Signup', eventProperties: [{ name: 'list', value: 'markets' }] };
  const given = ['permutive.consent', { opt_in: true, token: 'CONSENT_CAPTURED' }];

  // A page, and what the template does to it.
  const page = {
    hasSdk: false,
    hasOther: false,
    isGranted: true,
    scripts: [],
    stubs: {},
    kept: [],
    told: [],
  };
  const storage = {};
  mockObject('templateStorage', {
    getItem: (key) => storage[key],
    setItem: (key, value) => {
      storage[key] = value;
    },
  });
  mock('copyFromWindow', (path) => (page.hasSdk && path === 'permutive.track' ? () => {} : undefined));
  mock('setInWindow', (path, value) => {
    if (path === 'permutive') {
      if (page.hasOther) return false;
      page.permutive = value;
    } else {
      page.stubs[path] = value;
    }
    if (path === 'permutive.track') page.hasSdk = true;
    return true;
  });
  mock('createQueue', (path) => (item) => {
    if (path === 'permutive.q') page.kept.push(item);
  });
  mock('callInWindow', (path, first, second) => {
    page.told.push(second === undefined ? [path, first] : [path, first, second]);
  });
  mock('injectScript', (url, onSuccess, onFailure) => {
    page.scripts.push(url);
    page.scriptLoads = onSuccess;
    page.scriptFails = onFailure;
  });
  mock('isConsentGranted', () => page.isGranted);
  mock('addConsentListener', (consentType, listener) => {
    page.consentChanges = listener;
  });


___NOTES___

Documentation: docs/tag-managers.md in the repository of the SDK.
