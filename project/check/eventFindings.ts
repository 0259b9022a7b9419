import type { Definition } from '../../src/engine/language/language';
import { ownEntry } from '../../src/hardening/ownFields';
import { commonProperties, type EventTypes, type PropertyType } from '../define/eventTypes';
import { typesTested } from '../language/testedTypes';
import { countsOf } from './countFaults';
import { type EventKnowledge, eventKnowledge, pathsIn, typeAt } from './eventKnowledge';
import { doubtful, nearestName, type ProjectFinding, type Said, wrong } from './finding';
import { type Node, nodesOf } from './nodes';
import { intersection, isEmpty, rangeOf } from './ranges';

/**
 * Names of events and properties that nothing in the project has. Without a declaration (`events` of the definition)
 * only the SDK's own names are known, so that a name is doubted where it is nearly one of those.
 */
export const eventFindings = (
  queries: readonly Definition[],
  declared: EventTypes | undefined,
): readonly ProjectFinding[] => {
  const known = eventKnowledge(declared);
  return queries.flatMap((definition) =>
    [...nodesOf(definition)].flatMap(([node, path]) =>
      saidOf(node, known).map(([below, said]) => ({
        path: `queries/${definition.id}/${path}${below}`,
        ...said,
      })),
    ),
  );
};

type Placed = readonly [path: string, said: Said];

const saidOf = (node: Node, known: EventKnowledge): readonly Placed[] => {
  const { event, where, last, first, is, sum, distinct } = node;
  const step = (last ?? first) as Node | undefined;
  if (step !== undefined) return predicate(is as Node, '/is', namesOf(step['event']), known);
  if (event === undefined) return [];
  const names = namesOf(event);
  return [
    ...names.flatMap((name): readonly Placed[] => {
      const said = nameDoubt(name, known);
      return said === undefined ? [] : [['/event', said]];
    }),
    ...(where === undefined ? [] : predicate(where as Node, '/where', names, known)),
    ...[
      ['/sum', sum, 'number'],
      ['/distinct', distinct, undefined],
    ].flatMap(([path, property, type]): readonly Placed[] =>
      typeof property === 'string'
        ? pathFaults(property, names, known, type as string | undefined).map((said) => [path as string, said] as const)
        : [],
    ),
    ...sharesOfView(node),
  ];
};

const namesOf = (event: unknown): readonly string[] => [event].flat().map(String);

/** Names that `permutive.track` takes. */
const eventName = /^\w{1,100}$/;

const nameDoubt = (name: string, { isDeclared, names }: EventKnowledge): Said | undefined => {
  if (names.includes(name)) return undefined;
  if (!eventName.test(name))
    return wrong(`no event can have the name ${JSON.stringify(name)}`, 'write up to 100 letters, digits and _');
  const nearest = nearestName(name, names);
  if (nearest !== undefined) return doubtful(`no known event has the name ${name}`, `write ${nearest}`);
  return isDeclared ? doubtful(`no known event has the name ${name}`, 'declare it in events') : undefined;
};

/** What is found in a condition of events, at each leaf. */
const predicate = (
  pred: Node,
  path: string,
  names: readonly string[],
  known: EventKnowledge,
  isElement = false,
): readonly Placed[] => {
  const list = ['and', 'or', 'match'].find((key) => Array.isArray(pred[key]));
  if (list !== undefined)
    return (pred[list] as readonly Node[]).flatMap((child, i) =>
      predicate(child, `${path}/${list}/${i}`, names, known, isElement),
    );
  if (pred['not'] !== undefined) return predicate(pred['not'] as Node, `${path}/not`, names, known, isElement);
  const { p } = pred;
  if (typeof p !== 'string') return [];
  if (isElement)
    return p.startsWith('$')
      ? [[path, wrong(`${p} belongs to the event and not to an element of a list`, 'move the test out of the list')]]
      : [];
  const inner = ['any', 'all', 'none'].find((key) => pred[key] !== undefined);
  return [
    ...[...pathFaults(p, names, known, typeTested(pred)), ...shareFaults(pred, names)].map(
      (said) => [path, said] as const,
    ),
    ...(inner === undefined ? [] : predicate(pred[inner] as Node, `${path}/${inner}`, names, known, true)),
  ];
};

/** The type of the values that a test can be true of; undefined where there are several. */
const typeTested = (leaf: Node): string | undefined => {
  const [type, other] = typesTested(leaf);
  return other === undefined ? type : undefined;
};

const pathFaults = (
  path: string,
  names: readonly string[],
  known: EventKnowledge,
  tested: string | undefined,
): readonly Said[] => {
  if (path.startsWith('$') && !Object.hasOwn(commonProperties, path)) {
    const nearest = nearestName(path, Object.keys(commonProperties));
    return [
      wrong(`no event has ${path}`, nearest === undefined ? 'write a property of the event' : `write ${nearest}`),
    ];
  }
  const types = names.map(known.propertiesOf);
  const complete = types.filter((type) => type !== undefined);
  if (complete.length === 0 || complete.length < types.length) return [];
  const found = complete.map((type) => typeAt(type, path)).filter((type) => type !== undefined);
  if (found.length === 0) {
    const nearest = nearestName(path, complete.flatMap(pathsIn));
    return [
      doubtful(
        `${names.join(' and ')} ${names.length > 1 ? 'have' : 'has'} no property ${path}`,
        nearest === undefined ? 'declare it in events' : `write ${nearest}`,
      ),
    ];
  }
  return tested === undefined || found.some((type) => admits(type, tested))
    ? []
    : [
        doubtful(
          `${path} is ${words(found[0])}, and the test needs a ${tested}`,
          'test another property, or otherwise',
        ),
      ];
};

const admits = (type: PropertyType | 'unknown', tested: string): boolean =>
  // Numbers are compared as text too.
  type === 'unknown' || type === tested || (tested === 'string' && type === 'number');
const words = (type: PropertyType | 'unknown' | undefined): string =>
  typeof type === 'string' ? `a ${type}` : 'an object';

/** Properties of the SDK whose numbers have bounds. */
const shares = { completion: [0, 1], total_completion: [0, 1] } as const;
const sharing = ['PageviewEngagement', 'PageviewComplete', 'VideoEngagement', 'VideoCompletion'];

/** Comparisons with numbers that a share, or an hour of the day, never has. */
const shareFaults = (leaf: Node, names: readonly string[]): readonly Said[] => {
  const path = String(leaf['p']);
  const ofShare = names.every((name) => sharing.includes(name)) ? ownEntry<readonly [0, 1]>(shares, path) : undefined;
  const [least, greatest] = path === '$hour' ? [0, 23] : (ofShare ?? [-Infinity, Infinity]);
  const range = rangeOf(leaf);
  if (range === undefined || !isEmpty(intersection(range, { from: least, to: greatest, fromIn: true, toIn: true })))
    return [];
  const isPercent = greatest === 1 && range.from > 1 && range.from <= 100;
  return [
    wrong(
      `${path} is from ${least} to ${greatest}, so this is true for nobody`,
      isPercent ? `write ${range.from / 100}` : 'compare with a number within',
    ),
  ];
};

/** Within a view, the growth of the completion adds up to 1 at most. */
const sharesOfView = ({ event, sum, is, within }: Node): readonly Placed[] =>
  event === 'PageviewEngagement' && sum === 'completion' && within === 'view' && countsOf(is)[0] > 1
    ? [['', wrong('completion adds up to 1 at most in a view, and more is asked for', 'ask for a share from 0 to 1')]]
    : [];
