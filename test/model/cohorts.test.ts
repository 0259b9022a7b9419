import * as fc from 'fast-check';

import { codeOf, isStandard, withoutSuffix } from '../../src/model/cohort';
import { codesFor } from '../../src/model/cohorts';
import { law } from '../support/laws';

describe('withoutSuffix', () => {
  it.each([
    ['abcd-ac', 'abcd'],
    ['abcd-aw', 'abcd'],
    ['abcd-c', 'abcd'],
    ['20101-ac', '20101'],
    ['abcd', 'abcd'],
    ['abcd-a', 'abcd-a'],
    ['abcdc', 'abcdc'],
    ['ac', 'ac'],
    ['-ac-x', '-ac-x'],
    ['abcd-AC', 'abcd-AC'],
    ['abcd-c-ac', 'abcd-c'],
    ['', ''],
  ])('%s becomes %s', (code, expected) => {
    expect(withoutSuffix(code)).toBe(expected);
  });
});

describe('isStandard', () => {
  it.each([
    ['0', false],
    ['20101', false],
    ['9999999', false],
    ['10000000', true],
    ['10000001', true],
    ['10000001-ac', true],
    ['9999999-c', false],
    ['abcd', false],
    ['', false],
  ])('%s: %p', (id, expected) => {
    expect(isStandard(id)).toBe(expected);
  });
});

describe('codeOf', () => {
  it.each([
    ['7', 7],
    ['0', 0],
    ['10000001', 10_000_001],
    ['999999999999999', 999_999_999_999_999],
    ['9999999999999999', '9999999999999999'],
    ['abcd', 'abcd'],
    ['-7', '-7'],
    ['7.5', '7.5'],
    ['1e3', '1e3'],
    ['', ''],
  ])('%s is %p', (id, expected) => {
    expect(codeOf(id)).toBe(expected);
  });

  it(
    'is the number a publisher knows',
    law(fc.nat(Number.MAX_SAFE_INTEGER), (id) => {
      if (id < 1e15) expect(codeOf(String(id))).toBe(id);
    }),
  );
});

describe('codesFor', () => {
  const project = {
    platformCohorts: { dfp: [10_000_001, 10_000_002, 20_103], rubicon_ssp: [] },
    cohortCodes: { '10000001': 'abcd-ac', '20103': 'abcd' },
    optimisedActivationsConfig: {
      ix: { cohorts: ['20103', 'chosen', 'abcd', '20101', 'abcd'] },
      openx: { cohorts: [] },
      curation_platforms: {},
    },
  };
  const activations = {
    dfp: ['20101', '20103'],
    appnexus_adserver: ['20101'],
    ix: ['20101', '20102', '20103'],
    openx: ['20101'],
  };
  const codes = (platform: string, members: readonly string[]): readonly string[] =>
    codesFor(platform, { members: [...members], activations }, project);

  it.each([
    ['an activated cohort', 'dfp', ['20101'], ['20101']],
    ['one of the project’s list, under its short code', 'dfp', ['10000001'], ['abcd']],
    ['one of the list without a code', 'dfp', ['10000002'], ['10000002']],
    ['both, each code once', 'dfp', ['10000001', '20103', '20101'], ['abcd', '20101']],
    ['those that the publisher lists alone, in that order', 'ix', ['20101', '20102', '20103'], ['abcd', '20101']],
    ['none that the publisher lists and the visitor is not in', 'ix', ['20101'], ['20101']],
    ['none that the publisher lists and that is not activated', 'ix', ['chosen-ac'], []],
    ['none where the publisher lists none', 'openx', ['20101'], []],
    ['one that the publisher lists for another platform', 'appnexus_adserver', ['chosen'], []],
    ['no other cohort', 'dfp', ['20102'], []],
    ['one activated elsewhere', 'appnexus_adserver', ['20101', '20103'], ['20101']],
    ['nobody', 'dfp', [], []],
    ['an empty list', 'rubicon_ssp', ['20101'], []],
    ['a platform nobody knows', 'unknown', ['20101'], []],
    ['names that every object has', 'constructor', ['20101'], []],
    ['a prototype', '__proto__', ['20101'], []],
  ])('%s', (_, platform, members, expected) => {
    expect(codes(platform, members)).toEqual(expected);
  });

  it('takes suffixes off ids too', () => {
    expect(codesFor('dfp', { members: ['x-aw'], activations: { dfp: ['x-aw'] } }, project)).toEqual(['x']);
  });
});
