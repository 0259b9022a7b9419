/** What a publisher wants to know of a message. */
export interface Explained {
  /** When the SDK says it, and what it does then. */
  readonly when: string;
  /** What a publisher can do. */
  readonly fix: string;
}

const entry = (when: string, fix: string): Explained => ({ when, fix });

const passing =
  'Nothing, if it is rare: the next page tries again. Otherwise look at the request in the network panel.';
const storageFull = 'Free local storage of the site: browsers give an origin about 5 MB.';
const tellUs = 'Report it to the provider of the SDK with the version, `permutive.version`.';
const publishAll = 'Publish all files of a build together and before the page script; allow the CDN in the policy.';
const askPartner = 'Look at the partner’s tag, and at the policy of the page.';
const shapeOf = 'Correct the value at the path that the message names. The SDK uses the default until then.';

/** By message, with `…` in place of what is filled in while the SDK runs. A test keeps it complete. */
export const errorMessages: Readonly<Record<string, Explained>> = {
  '[permutive] …': entry(
    'Logging is on, and every report is shown in the console so.',
    'Find the message after it in this list.',
  ),
  '[permutive] … takes longer than 10 s': entry(
    'The start still waits for what the line names: a file of the SDK, a task of the page’s thread, the visit, or, where reports are logged, the first Pageview. The start goes on once that has come.',
    "Look for the file in the network panel, and for what keeps the page’s thread busy. Without a Pageview, see that the page calls `permutive.addon('web', …)`, and ask `permutive.doctor()`.",
  ),
  'Permutive was not initialized. …': entry(
    'The script cannot start; it says why.',
    'Find the reason after it in this list.',
  ),
  "Can't find permutive tag on the page": entry(
    'The script runs on a page without the snippet, or `windowKey` names another global.',
    'Put the snippet into the head, before the script.',
  ),
  'No consent to run on the page': entry(
    '`consentRequired` is set and the visitor has not agreed. Nothing is stored or sent.',
    'Call `permutive.consent({ opt_in: true, token })` once the visitor agrees. docs/consent-platforms.md has a script for each of six consent platforms.',
  ),
  'Exception during initialisation. Got …': entry('Starting has failed; the page is left alone.', tellUs),
  'Exception during initialisation': entry('Starting has failed; the cause follows.', tellUs),
  'Permutive was not initialized. The page has replaced … by what does not work': entry(
    'A script of the page, such as an old library, has put a function of its own in the place of a native one, and it does something else. Nothing starts; a refusal of consent erases what is stored.',
    'Take a newer version of that library, or load it without that function.',
  ),
  'Loading the check of replaced natives failed': entry(
    'The page has replaced native functions, and the file that checks them could not be loaded. Nothing starts.',
    publishAll,
  ),
  'Permutive was not initialized. Exception during initialisation. Got': entry(
    'The check of native functions that the page has replaced has failed; the page is left alone.',
    tellUs,
  ),
  'The script has no address of its own, so it finds no other files. Set cdnBaseUrl.': entry(
    'The text of the script is in the page or in another script, and no setting names the folder of its other files. Nothing starts.',
    'Set `cdnBaseUrl` in the config of the tag, or load the script by a script element.',
  ),
  'Failed to load addons': entry(
    'The deferred chunk could not be loaded, so only `web` and `dfp` run on this page.',
    publishAll,
  ),
  'Failed to load overrides': entry(
    'The address or the tab overrides settings, and the chunk that reads them could not be loaded. The settings are those of the page.',
    publishAll,
  ),
  'Failed to load the names of cohorts': entry(
    'A method was called with the name of a cohort, and `{workspaceId}-web.cohorts.{hash}.json` could not be read. The visitor counts as in no such cohort.',
    'Publish that file beside the scripts, and allow the CDN in `connect-src`; or call the method with the code.',
  ),
  'Function permutive.on caused an error': entry(
    'A listener of the page has thrown. Others go on.',
    'Correct the listener.',
  ),
  'Function permutive.… caused an error': entry(
    'A method was called with an argument that it cannot use, or its callback has thrown.',
    'The message names method, position and expected type. Correct the call.',
  ),
  'Function permutive.… caused an error: Does not exist': entry(
    'The queue of the snippet holds a call of a method that there is not. It is left out.',
    'Correct the name.',
  ),
  'Invalid queued call': entry(
    'The queue of the snippet holds something that is no call. It is left out.',
    'Use the snippet unchanged; add nothing to `permutive.q` by hand.',
  ),
  'Does not exist': entry(
    '`permutive.addon` was called with the name of an addon that the project does not have.',
    'Name the addon in the project definition, or correct the name.',
  ),
  'Advertiser segmentation request blocked by rate limiting': entry(
    'The server has asked to wait. The last answer stands.',
    'Nothing: it is asked again after 10 minutes.',
  ),
  'Failed to decode data from response: …': entry(
    'The advertiser service has answered in another form. The last answer stands.',
    tellUs,
  ),
  'Failed to fetch advertiser cohorts': entry('The request has failed. The last answer of that user stands.', passing),
  'Failed to decode stored advertiser state': entry(
    'What an earlier page stored cannot be read. It is asked for anew.',
    'Nothing.',
  ),
  'Failed to fetch affinity cohorts: …': entry(
    'The service of standard audiences did not answer. It counts as no cohort.',
    passing,
  ),
  'A service has given too many cohorts': entry(
    'An answer has put the visitor into more than 100 cohorts. The first 100 count.',
    'Ask the provider of the service that the message names for fewer.',
  ),
  'Failed to fetch AMP query': entry(
    'The list of the cohorts for AMP pages could not be loaded.',
    'See that the file is on the CDN.',
  ),
  'Failed to fetch classification model cohorts': entry('The request has failed. It counts as no cohort.', passing),
  'Service … stopped': entry('A cohort service has failed in itself. All others go on.', tellUs),
  'Addon contextual has invalid options': entry(
    "`permutive.addon('contextual', answer)` was given something else than an answer of the contextual API.",
    shapeOf,
  ),
  'Failed to GET contextual data': entry(
    'The contextual API did not answer. The page has no contextual codes.',
    passing,
  ),
  'Invalid second-party data': entry(
    "The setting `secondParty`, or what `addon('second_party', …)` was given, is not by provider a list of ids.",
    shapeOf,
  ),
  'Failed to fetch secure signal': entry(
    'The service of the secure signal did not answer. It is asked again after 10 minutes.',
    passing,
  ),
  'Failed to give the secure signal to Google': entry(
    "Google's tag has refused the registration.",
    'See that the page has no other `secureSignalProviders` of its own making.',
  ),
  'Error fetching data from store': entry(
    'Something stored cannot be read; it counts as not there.',
    'Nothing, if it is rare. Browsers lose stored data.',
  ),
  'Third-party data is …': entry(
    'The providers did not answer: data of an earlier page is used for up to seven days, then none.',
    passing,
  ),
  'Error fetching TPD': entry('Audience matching has failed, and the older service is asked.', passing),
  'Blocked by persistent backoff': entry(
    'Audience matching has failed within the last 10 minutes and is not asked.',
    'Nothing: it is asked again after that time.',
  ),
  'Blocked by backoff': entry(
    'The report of which segments were used has failed within the last 10 minutes and is not tried.',
    'Nothing: it is tried again after that time.',
  ),
  'Failed to report TPD usage': entry(
    'Which segments were used could not be reported. It is tried again on a later page.',
    'Nothing.',
  ),
  'Query Language: …': entry(
    'The engine says this of a query. Other queries go on.',
    'Look at the query that the message names.',
  ),
  'Query Language: Exception during evaluation': entry(
    'The engine has failed at an event. The cohorts stay as they were.',
    tellUs,
  ),
  'Exception in the services of the engine': entry(
    'A part beside the engine, such as state sync, has failed and ended.',
    tellUs,
  ),
  'Failed to load cloud lift': entry(
    '`{workspaceId}-web.worker.lift.{hash}.js` could not be loaded. The queries that the server counts wait for the next such event, or for the next page.',
    publishAll,
  ),
  'Failed to explain a cohort': entry(
    '`{workspaceId}-web.worker.explanations.{hash}.js` could not be loaded, or the explanation has failed. The cohorts are not affected.',
    publishAll,
  ),
  'Events cache failed to put ….': entry(
    'Events could not be kept for later pages. Cohorts of this page are not affected.',
    storageFull,
  ),
  'Migrate previous events failed.': entry(
    'Events of the last page could not be moved to those of earlier pages.',
    storageFull,
  ),
  'Failed to cloud lift event: …': entry('The server that keeps counts did not answer for an event.', passing),
  'Failed to download queries from cloud lift: …': entry(
    'Queries that are downloaded later did not come. Those of the definition go on.',
    passing,
  ),
  'Failed fetching binary models, reverting to JSON.': entry(
    'The compact file of models is not there, and the other one is taken.',
    'See that `models/v2/…-models.bin` is on the CDN.',
  ),
  'Failed fetching json models.': entry(
    'No models could be loaded. Lookalike cohorts stay as they were.',
    'See that the files of models are on the CDN.',
  ),
  'Failed to refresh, using zero value.': entry(
    'There are no models at all, so nobody enters a lookalike cohort.',
    'See that the files of models are on the CDN.',
  ),
  'Lookalike models could not be stored': entry('Models are loaded again on the next page.', storageFull),
  'Query Language: validation mismatch …': entry(
    'Computed anew from all events, the query has another result than step by step.',
    tellUs,
  ),
  'Query Language: engine stopped': entry('The worker has failed. The cohorts stay as they are on this page.', tellUs),
  'Invalid message from the page': entry(
    'The worker has got a message that it does not know.',
    'See that page script and worker are of one build.',
  ),
  'Local storage is used, IndexedDB failed': entry(
    'IndexedDB cannot be opened, as in some private windows. Less is kept.',
    'Nothing.',
  ),
  'Failed to save the state': entry(
    'The state of the queries could not be written. The next page begins with the older one.',
    storageFull,
  ),
  'Event …: dropped …': entry(
    'Properties of an event are too large, too deep or no JSON. The rest of the event is sent.',
    'Give the event smaller properties.',
  ),
  'Invalid config': entry('A setting of the page has the wrong type.', shapeOf),
  'Invalid stored page data': entry(
    'Place or content of earlier pages cannot be read. It is asked for anew.',
    'Nothing.',
  ),
  'LocalStorage access is required. …': entry(
    'The browser refuses local storage. The SDK runs from memory; nothing is known on the next page.',
    'Nothing: the visitor or the policy of a frame refuses it.',
  ),
  'WebWorker refused, queries are evaluated on the page': entry(
    'The policy of the page refuses workers from a blob.',
    'Allow `blob:` in `worker-src`, or in `script-src`.',
  ),
  'No engine could be loaded, the cohorts stay as they are': entry(
    'Neither worker nor engine for the page could be loaded.',
    'Publish all files of a build together; allow the CDN in `connect-src`.',
  ),
  'Exception in the worker': entry('The worker has thrown outside of the evaluation.', tellUs),
  'Object store(s) missing.': entry('The database of an earlier version lacks a part, which is made anew.', 'Nothing.'),
  'Failed to load web vitals': entry(
    'The chunk that measures the page could not be loaded. Only metrics are lost.',
    'Publish all files of a build together.',
  ),
  'Error resetting internals': entry(
    'The server did not take the reset. This browser has forgotten the visitor all the same.',
    passing,
  ),
  'Invalid message from the engine': entry(
    'The page has got a message that it does not know.',
    'See that page script and worker are of one build.',
  ),
  'Addon … has invalid options': entry(
    'The definition or the page has given an addon options of the wrong type.',
    shapeOf,
  ),
  'Addon … stopped': entry(
    'An addon has thrown and is at rest for this visit. All others go on.',
    'Of an addon of your own, correct it; otherwise report it.',
  ),
  'Unable to find appnexus tag script': entry(
    'The page has no AppNexus tag within the wait.',
    'Leave the addon out of the definition where the site has no such tag.',
  ),
  'Missing element for a click listener': entry(
    'An ad was announced for an element that is not on the page, so its clicks are not seen.',
    'See that the target ids of the tag exist.',
  ),
  'AppNexus tag failed': entry(
    'A function of the AppNexus tag has thrown.',
    'See that the tag is loaded once and is not replaced.',
  ),
  'AppNexus failed to set data': entry(
    'The tag has refused keywords.',
    'See that the tag is loaded once and is not replaced.',
  ),
  'Timeout for targeting metrics.': entry(
    'No ad request came in the time that is measured. Only a metric is lost.',
    'Nothing.',
  ),
  'Slot targeting is too long for one ad request and was cut off': entry(
    'Google has cut the address of an ad request, so codes are missing.',
    'Send fewer cohorts to `dfp`: remove some of its activations, and of its codes in `platformCohorts`.',
  ),
  'Unable to find google tag script': entry(
    'The page has no `googletag` with a queue within the wait.',
    'Leave the addon out of the definition where the site has no such tag.',
  ),
  'DFP failed to read a slot': entry(
    'A slot of the page has thrown while it was read. Others go on.',
    'See that no script replaces functions of `googletag`.',
  ),
  'Google failed to set signals': entry(
    '`googletag.setConfig` has thrown.',
    'See that no script replaces functions of `googletag`.',
  ),
  'DFP failed to set data': entry(
    '`googletag` has refused targeting.',
    'See that no script replaces functions of `googletag`.',
  ),
  'Function permutive.addons.identity_manager.prebid.onReady caused an error': entry(
    'The callback of Prebid is no function or has thrown.',
    "See that Prebid's module is that of npm, unchanged.",
  ),
  'Failed to show overlay': entry(
    'An activation names no content, the page has no body, or the chunk could not be loaded.',
    'Give `c` `html`, or `image_url` and `image_link`.',
  ),
  'Parts of an overlay were removed': entry(
    'The html of an overlay holds what could act or would load from another host, such as `script` or `p[onclick]`. It is shown without these parts.',
    'Take the parts that are named out of `c.html` of the activation that is named.',
  ),
  'Failed to resolve key': entry(
    'The page has no Prebid within the wait.',
    "Call `permutive.addon('prebid')` only on pages with Prebid.",
  ),
  'Prebid failed to take cohorts': entry(
    '`pbjs.setConfig` or `pbjs.getConfig` has thrown. Bidders hear of the cohorts at the next change.',
    'See that no script replaces functions of `pbjs`.',
  ),
  'Prebid auctions could not be read': entry(
    'An event of Prebid has another form. Auctions are no longer tracked in this visit.',
    tellUs,
  ),
  'Error running custom script': entry(
    'A script of `scriptrunner` has thrown, or the policy of the page refuses it.',
    'Correct the script, or give our script element a nonce.',
  ),
  'Failed to create tracking pixel': entry(
    'A `pixel_url` is no https address of a public host.',
    'Correct `c.pixel_url` of the activation that is named.',
  ),
  'Invalid tcf vendor ID': entry(
    '`c.tcf_vendor_id` of a pixel, an overlay or a script is no number. That activation is left out.',
    'Correct it, or leave it out where no vendor is asked.',
  ),
  'Invalid filterPermutiveEvent': entry(
    'A function of that option has thrown or is none. The event is sent.',
    'Correct the option of `web`.',
  ),
  'Error after waiting for event web:ready': entry(
    '`permutive.addons.web.reset()` was called, and `web` did not start within 10 s.',
    "Call `permutive.addon('web', …)` first.",
  ),
  'Permutive app raised an invalid state': entry(
    'The stored state cannot be read in part. What can be read is used.',
    'Nothing.',
  ),
  'Permutive app state could not be stored': entry(
    'Local storage has refused the state. Events are kept in the journal.',
    storageFull,
  ),
  'Events journal is not available': entry(
    'IndexedDB cannot be used for events. They are kept in local storage.',
    'Nothing.',
  ),
  'Events journal has an invalid record': entry(
    'A stored event cannot be read and is dropped. Others are sent.',
    'Nothing, if it is rare.',
  ),
  'Calls of an earlier page cannot be read': entry(
    'The companion has kept calls of a page that was left before the SDK had come. What cannot be read is dropped.',
    'Nothing, if it is rare.',
  ),
  'Error sending events batch': entry(
    'The server or the network has refused events. They are kept and sent again after a pause.',
    passing,
  ),
  'Error fetching …': entry(
    'The geo service or the page classification did not answer. Events are sent without.',
    passing,
  ),
  'Invalid consent': entry(
    '`permutive.consent` was given something else. It changes nothing.',
    'Give `{ opt_in: true, token }` or `{ opt_in: false }`.',
  ),
  'Invalid stored consent': entry(
    'The stored answer cannot be read. It counts as none.',
    'Nothing: the consent platform gives it again.',
  ),
  'Failed to identify': entry('The server did not take the identities. They are given again on a later page.', passing),
  'Could not ingest identities': entry(
    'A provider of identities did not answer within 2 s, or gave no id.',
    'Look at the provider under `addons.identity_manager.providers`.',
  ),
  'Failed to initialise session manager: …': entry('The stored session cannot be read. Another begins.', 'Nothing.'),
  'Failed to parse query params': entry(
    'What the tab keeps of `?__permutive.…` cannot be read. It is ignored.',
    'Nothing.',
  ),
  'Failed to track videos': entry(
    'The chunk for videos could not be loaded. Videos are not tracked on this page.',
    publishAll,
  ),
  'Failed to track a video': entry(
    'A video or its player has failed while it was read. It is not tracked any more.',
    tellUs,
  ),
  'Addon ctv has invalid options': entry('An option of `ctv` cannot be used. Its default is used.', shapeOf),
  'Invalid call of permutive.addons.ctv': entry(
    'A player has called a method with what is no position or duration. The call is ignored.',
    'Give times in ms, from 0 on.',
  ),
  'Revenue could not be read': entry(
    'Prebid has told of an ad in a shape that is not known. The ad is not counted.',
    tellUs,
  ),
  '[pubmatic] Failed to create pixel': entry(
    'An address of PubMatic cannot be used.',
    'Look at the addresses under `addons.pubmatic` of the project definition.',
  ),
  'Failed to tell … of a segment': entry(
    'The partner’s function or pixel has thrown. The segment is not told again.',
    askPartner,
  ),
  'Failed to reach …': entry(
    'The partner’s function did not appear on the page in time.',
    'Load the partner’s tag on the page.',
  ),
  'Failed to match with The Trade Desk': entry(
    'The match pixel could not be requested. A later page tries again.',
    askPartner,
  ),
  'Inspector failed': entry(
    'The inspector, the recorder or the doctor could not be loaded or has failed. The SDK itself goes on.',
    'See that the file of the inspector is beside the page script. If it is, report it with the version of the SDK.',
  ),
};
