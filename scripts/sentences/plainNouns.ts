/** Nouns that need no glossary, beside those of ARCHITECTURE.md. A noun in the plural is found by its singular. */
export const plainNouns: ReadonlySet<string> = new Set(
  // The parts of programs.
  (
    'action address answer api argument array batch behaviour block bound boundary branch browser bug build bundle byte ' +
    'cache call callback caller case cell change character check chunk class clause client clock code codec collector column ' +
    'command comment compiler condition config connection constant consumer content context cookie copy core cost count ' +
    'counter cpu data database date day default definition delay device dependency diagram difference disk document domain ' +
    'element end engine entry error example exit export expression failure fault field file flag flow focus folder form ' +
    'frame function global group handle handler hash head header heading host hour html http id identity import index input ' +
    'instance integer interface item iterator job json key kind label language law layer length letter level library limit ' +
    'line link list listener load lock log loop machine map mark marble maximum mean meaning measure memory message method ' +
    'microtask millisecond minimum minute mock mode model module moment month mutant name navigation network node nonce noun null ' +
    'number object observable observer operation operator option order origin output owner package page pair parameter ' +
    'parent part partner path pattern pause payload permission phone picture pixel place placeholder plan platform plugin ' +
    'point policy port position prefix process product profile program project promise property protocol prototype provider proxy ' +
    'publisher purpose quarter query question queue range rate reader reason record recording reference refusal region ' +
    'registry release render rendering replay report request result retry return review root row rule run runtime sample ' +
    'scan schedule scheduler schema scheme scope screen script sdk search second section security seed segment selector ' +
    'sentence sequence server service session set setting shadow shape share sharing sign signal site size slice slot snapshot ' +
    'source space stack stage start state statement step stop storage store stream string structure stub style subject ' +
    'subscriber subscription suffix suite support symbol syntax system tab table tag task test text thread time timer title ' +
    'token tool tree trigger tuple turn type union unit update upload url usage user value variable vendor version view ' +
    'visitor visit wait watch way web week width window word worker world write writer year zone ' +
    // The words of advertising and of this project.
    'activity ad advertiser aggregation article attack attacker auction audience author bar bid bidder button byte click ' +
    'completion consent counsel country criterion currency engagement fake gap gate host hook image inspector law lease member ' +
    'modal money news newspaper objection overlay paper party person pixel player prebid price privacy product ' +
    'video snippet attempt interval impression predicate ratio outbox checksum chapter plural jar ms backdrop opacity reset revenue row sale score screenshot section sender site story targeting tcf telemetry theme threshold transport ' +
    'vital weight word effect cause burst figure rest percent pass'
  ).split(' '),
);
