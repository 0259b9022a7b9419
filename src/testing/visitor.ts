import { DecodeError } from '../codecs/codecs';
import { decodeJsonModels } from '../engine/models/lookalike';
import { explainWords } from '../engineHost/explainWords';
import type { Properties } from '../model/event';
import { PlayedVisitor } from './playedVisitor';
import { type CompiledProject, compiledProject, type TestedProject } from './testedProject';
import { momentOf, passedMs, type PassedTime } from './visitorTime';

/** What is known of a visitor beside their events. Fields that are absent keep what was known before. */
export interface VisitorData {
  /** Country, city and so on, as the geo service answers. */
  readonly geo?: Properties;
  /** What the page is about, as the classification service answers. */
  readonly classification?: Properties;
  readonly user?: Properties;
  /** By provider, the ids of the visitor's segments. */
  readonly thirdParty?: Readonly<Record<string, readonly (string | number)[]>>;
  readonly secondParty?: Readonly<Record<string, readonly (string | number)[]>>;
  /** Lookalike models by id: the weights of their features, and of the intercept `const`. */
  readonly models?: Readonly<Record<string, Readonly<Partial<Record<'1p' | '3p', Readonly<Record<string, number>>>>>>>;
}

/** Says whether a visitor is in cohorts of a project. Each method throws an error that explains why not. */
export interface CohortExpectation {
  /** `cohort`: id or name. */
  readonly toBeIn: (...cohorts: readonly (string | number)[]) => void;
  readonly not: Pick<CohortExpectation, 'toBeIn'>;
}

/**
 * What a visitor does, one thing after another. A visitor never changes: each method answers another visitor, who has
 * done one thing more, so a beginning can be shared by tests.
 */
export interface Visitor {
  /**
   * Opens so many pages, a minute after each other. Each is a view with an id of its own and sends a Pageview with the
   * properties. `client: { url, title, referrer }` among them says where the page is.
   */
  readonly views: (count: number, properties?: Properties) => Visitor;
  /**
   * Reads the page for so many seconds, which sends PageviewEngagement every 5 s. `completion`: the share of the page
   * that has been seen in the end, from 0 to 1.
   */
  readonly engages: (seconds: number, completion?: number) => Visitor;
  /**
   * Leaves the page, which sends PageviewComplete with `total_completion` and `total_engaged_time` of the view, or with
   * those that are given. A page that is left without this call sends the same when the next one opens.
   */
  readonly completes: (properties?: Properties) => Visitor;
  /** Sends an event, as `permutive.track` does. */
  readonly event: (name: string, properties?: Properties) => Visitor;
  /** Comes back after the session has ended: at least half an hour after the last event. */
  readonly newSession: () => Visitor;
  /** Lets time pass. After half an hour without an event the session is over and the page is left. */
  readonly after: (time: PassedTime) => Visitor;
  /** Lets time pass until a date. As the first call it says when the visitor begins: 2026-01-05T12:00Z otherwise. */
  readonly at: (date: string | number | Date) => Visitor;
  /** What others know of the visitor from here on. */
  readonly data: (data: VisitorData) => Visitor;
  /** The ids of all cohorts of the project that the visitor is in. */
  readonly cohorts: (project: TestedProject) => readonly string[];
  /** `expect(project).toBeIn('sport-fans')`, `expect(project).not.toBeIn('sport-fans')`. */
  readonly expect: (project: TestedProject) => CohortExpectation;
}

/** What a visitor has done so far. */
interface Story {
  readonly start: number;
  /** Whether an event or time has passed. */
  readonly hasBegun: boolean;
  /** Cohorts that lookalike models score. */
  readonly features: readonly string[];
  readonly steps: readonly ((played: PlayedVisitor) => void)[];
}

/** A visitor who has never been here. The SDK's own engine computes the visitor's cohorts, in virtual time. */
export const visitor = (): Visitor =>
  visitorAfter({ start: Date.UTC(2026, 0, 5, 12), hasBegun: false, features: [], steps: [] });

const visitorAfter = (story: Story): Visitor => {
  const then = (step: Story['steps'][number], more: Partial<Story> = { hasBegun: true }): Visitor =>
    visitorAfter({ ...story, ...more, steps: [...story.steps, step] });
  return {
    views: (count, properties = {}) =>
      then((played) => {
        for (let i = 0; i < count; i++) played.openView(properties);
      }),
    engages: (seconds, completion) => then((played) => played.engage(seconds, completion)),
    completes: (properties = {}) => then((played) => played.complete(properties)),
    event: (name, properties = {}) => then((played) => played.track(name, properties)),
    newSession: () => then((played) => played.newSession()),
    after: (time) => {
      const ms = passedMs(time);
      return then((played) => played.passFor(ms));
    },
    at: (date) => {
      const moment = momentOf(date);
      return story.hasBegun ? then((played) => played.passTo(moment)) : visitorAfter({ ...story, start: moment });
    },
    data: ({ models, ...data }) => {
      if (models === undefined) return then((played) => played.provide(data), {});
      const lookalike = modelsOf(models);
      const features = lookalike.flatMap(({ weights }) => [...weights.keys()]);
      return then((played) => played.provide({ ...data, lookalike }), { features });
    },
    cohorts: (project) => {
      const compiled = compiledProject(project);
      return play(story, compiled, compiled.ids).members();
    },
    expect: (project) => {
      const compiled = compiledProject(project);
      const check =
        (wanted: boolean) =>
        (...cohorts: readonly (string | number)[]): void => {
          for (const cohort of cohorts) expectMember(story, compiled, compiled.idOf(cohort), wanted);
        };
      return { toBeIn: check(true), not: { toBeIn: check(false) } };
    },
  };
};

const modelsOf = (models: NonNullable<VisitorData['models']>) => {
  const file = decodeJsonModels({ models });
  if (file instanceof DecodeError) throw file;
  if (file.errors.length > 0) throw new Error(file.errors.join('\n'));
  return file.models;
};

const play = ({ start, steps, features }: Story, project: CompiledProject, ids: readonly string[]): PlayedVisitor => {
  const played = new PlayedVisitor(project.queriesOf(ids, features), start);
  for (const step of steps) step(played);
  return played;
};

const expectMember = (story: Story, project: CompiledProject, id: string, wanted: boolean): void => {
  const played = play(story, project, [id]);
  if (played.errors.length > 0) throw new Error(played.errors.join('\n'));
  if (played.isMember(id) === wanted) return;
  const name = project.nameOf(id);
  const others = project.queriesOf([id], story.features).filter((query) => query.id !== id);
  throw new Error(
    [
      `Expected the visitor ${wanted ? '' : 'not '}to be in ${name === undefined ? id : `“${name}” (${id})`}.`,
      ...[id, ...others.map((query) => query.id)].flatMap((each) => {
        const explanation = played.explain(each);
        return explanation === undefined ? [] : [explainWords(explanation)];
      }),
    ].join('\n'),
  );
};
