import { audit, combineLatest, filter, ignoreElements, map, startWith, tap } from 'rxjs';

import { type Fields, isRecord } from '../codecs/codecs';
import { NoJson } from '../hardening/json';
import { ownEntry } from '../hardening/ownFields';
import { boughtCodes, codesAt, keyOfBidder, keyToName, type ReadKey, standardCodes } from '../model/bidderCodes';
import { codesOf } from '../model/cohorts';
import { localKeys, partnerKeys } from '../model/storageKeys';
import type { CohortService } from './service';

/**
 * Kinds of cohorts, as Prebid's module names them: standard cohorts, which have numbers; cohorts of clean rooms and of
 * advertisers; those that supply-side partners get; those of models; and what single bidders get.
 */
type Category = 'standard' | 'dcr' | 'curated' | 'clm' | 'custom';

/**
 * What Prebid's next module `permutive` reads, and nothing else (docs/decisions/017-prebid.md; public documentation of
 * the module in Prebid.js, read on 2026-11-28). Each id stands in one category, which says where in a bid request
 * the id goes. Each bidder has the list of the ids that it gets.
 */
export interface CohortStore {
  readonly categories: Readonly<Record<Category, readonly string[]>>;
  readonly activations: { readonly ortb2: Readonly<Record<string, readonly string[]>> };
}

const keysOfBidders: Readonly<Record<string, string>> = { ...keyOfBidder, ...keyToName };

/**
 * The store, from the keys that Prebid's module of before reads: bidders get what those keys give them. An id of two
 * categories stands in the first one. `modelCodes`: codes of the visitor's cohorts that lookalike models have found.
 */
export const cohortStoreOf = (read: ReadKey, modelCodes: readonly string[]): CohortStore => {
  const config = recordAt(localKeys.prebidConfig, read);
  const configured = isRecord(config['bidders']) ? config['bidders'] : {};
  const platforms = recordAt(partnerKeys.ssps, read);
  const [acBidders, ssps] = [textsOf(config['acBidders']), textsOf(platforms['ssps'])];
  const [bought, standard, curated] = [boughtCodes(read), standardCodes(read), textsOf(platforms['cohorts'])];
  const customOf = (bidder: string): readonly string[] => {
    const key = keyIn(ownEntry(configured, bidder)) ?? ownEntry(keysOfBidders, bidder);
    return key === undefined ? [] : codesAt(key, read);
  };
  const named = [...acBidders, ...ssps, ...Object.keys(configured)];
  const lists = unique([...named, ...Object.keys(keysOfBidders)])
    .map((bidder) => {
      const custom = customOf(bidder);
      return {
        bidder,
        custom,
        // The order of the module of before, which gives a bidder the first 500.
        all: unique([
          ...(acBidders.includes(bidder) ? [...bought, ...standard] : []),
          ...(ssps.includes(bidder) ? curated : []),
          ...custom,
        ]),
      };
    })
    .filter(({ bidder, custom }) => named.includes(bidder) || custom.length > 0);
  return {
    categories: apart({
      standard,
      dcr: bought,
      curated,
      clm: [...modelCodes, ...codesAt(partnerKeys.classificationModels, read)],
      custom: lists.flatMap(({ custom }) => custom),
    }),
    activations: { ortb2: Object.fromEntries(lists.map(({ bidder, all }) => [bidder, all])) },
  };
};

/**
 * Keeps that store, in the task in which one of the keys that it is made of has changed: with the visitor's cohorts,
 * with what may be shared, and with the bidders that the page names. `local` keeps it from partners while the visitor
 * objects to sharing.
 */
export const cohortStoreService: CohortService = (
  { cohorts$, sharing$ },
  { local, json, project, calls, endOfTask },
) => {
  const read: ReadKey = (key) => {
    const value = json.parse(local.read(key) ?? 'null');
    return value === NoJson ? null : value;
  };
  const lookalikes = new Set(project.lookalikes);
  return combineLatest([cohorts$, sharing$, calls.addon('prebid').pipe(startWith(undefined))]).pipe(
    // What the last page has stored stands until this page has evaluated its cohorts.
    filter(([{ isRealtime }]) => isRealtime),
    // Addons and other services write their keys in this task too.
    audit(endOfTask),
    map(([{ members }]) => {
      const found = members.filter((id) => lookalikes.has(id));
      return json.stringify(cohortStoreOf(read, codesOf(found, project)));
    }),
    filter((text) => text !== local.read(partnerKeys.cohortStore)),
    tap((text) => local.write(partnerKeys.cohortStore, text)),
    ignoreElements(),
  );
};

/** Each id in the first category that has it. */
const apart = (given: CohortStore['categories']): CohortStore['categories'] => {
  const taken = new Set<string>();
  return Object.fromEntries(
    Object.entries(given).map(([category, ids]) => {
      const left = unique(ids).filter((id) => !taken.has(id));
      left.forEach((id) => taken.add(id));
      return [category, left];
    }),
  ) as unknown as CohortStore['categories'];
};

/** The key of local storage where a bidder's own codes are said to be, as a list. */
const keyIn = (configured: unknown): string | undefined => {
  const custom = isRecord(configured) ? configured['customCohorts'] : undefined;
  if (!isRecord(custom) || custom['source'] !== 'ls' || custom['path'] !== undefined) return undefined;
  return typeof custom['key'] === 'string' ? custom['key'] : undefined;
};

const recordAt = (key: string, read: ReadKey): Fields => {
  const value = read(key);
  return isRecord(value) ? value : {};
};

const textsOf = (input: unknown): readonly string[] => (Array.isArray(input) ? input.map(String) : []);
const unique = (ids: readonly string[]): readonly string[] => [...new Set(ids)];
