import type { EngineEvent } from '../../../src/engine/engineEvent';
import type { Cmp, Definition, Expr, Pred, Scalar, Step } from '../../../src/engine/language/language';

// The meaning of the language, written as plainly as can be: it keeps all events, evaluates everything from the
// beginning each time, and knows no cells, no index and no saturation. Slow, and good only to compare with.

type Node = Readonly<Record<string, never>>;

const lower = (value: unknown): string | null =>
  typeof value === 'string'
    ? value.toLowerCase()
    : typeof value === 'number' && Number.isFinite(value)
      ? String(value)
      : null;

const valuesAt = (root: unknown, path: readonly string[]): unknown[] => {
  if (root === null || root === undefined) return [];
  if (Array.isArray(root)) return root.flatMap((element) => valuesAt(element, path));
  const [first, ...rest] = path;
  if (first === undefined) return [root];
  return typeof root === 'object' && Object.hasOwn(root, first) ? valuesAt((root as Node)[first], rest) : [];
};

const read = (path: string, root: unknown, event: EngineEvent | null): unknown[] => {
  if (event !== null) {
    const { name, time, session_id, view_id } = event;
    const day = Math.floor(time / 86_400_000);
    const meta: Record<string, unknown> = {
      $name: name,
      $time: time,
      $day: day,
      $hour: Math.floor(time / 3_600_000) - day * 24,
      $session_id: session_id,
      $view_id: view_id,
    };
    if (Object.hasOwn(meta, path)) return valuesAt(meta[path], []);
  }
  return valuesAt(root, path.split('.'));
};

const compares = (cmp: Cmp, value: number): boolean => {
  if ('gte' in cmp) return value >= cmp.gte;
  if ('gt' in cmp) return value > cmp.gt;
  if ('lte' in cmp) return value <= cmp.lte;
  if ('lt' in cmp) return value < cmp.lt;
  if ('eq' in cmp) return value === cmp.eq;
  return value >= cmp.between[0] && value <= cmp.between[1];
};

const words = (text: string): string => ` ${(text.match(/[a-z0-9]+/g) ?? []).join(' ')} `;
const slashes = (text: string): string =>
  `/${text
    .split('/')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join('/')}/`;
const pathOf = (url: string): string => slashes(url.split(/[?#]/)[0]!.replace(/^[a-z]+:\/\/[^/]*/, ''));
const hostOf = (url: string): string => `.${url.replace(/^[a-z]+:\/\//, '').split(/[/?#:]/)[0]!}`;

/** Whether one operand is met by one text. Operands and texts are in lower case. */
const meets: Readonly<Record<string, (text: string, operand: string) => boolean>> = {
  in: (text, operand) => text === operand,
  nin: (text, operand) => text === operand,
  contains: (text, operand) => text.includes(operand),
  startsWith: (text, operand) => text.startsWith(operand),
  endsWith: (text, operand) => text.endsWith(operand),
  words: (text, operand) => words(text).includes(words(operand)),
  under: (text, operand) => slashes(text).startsWith(slashes(operand)),
  urlPath: (text, operand) => pathOf(text).includes(slashes(operand)),
  domain: (text, operand) => hostOf(text).endsWith(`.${operand}`),
};

export const matches = (pred: Pred, root: unknown, event: EngineEvent | null): boolean => {
  if ('and' in pred) return pred.and.every((child) => matches(child, root, event));
  if ('or' in pred) return pred.or.some((child) => matches(child, root, event));
  if ('not' in pred) return !matches(pred.not, root, event);
  if ('match' in pred) return within(pred.match.filter((child) => matches(child, root, event)).length, pred);
  const values = read(pred.p, root, event);
  const leaf = pred as unknown as Node;
  if ('exists' in pred) return values.length > 0 === pred.exists;
  if ('is' in pred) return values.includes(pred.is);
  if ('size' in pred) return compares(pred.size, values.length);
  if ('after' in pred || 'before' in pred) {
    const { after = '-271821-04-20', before = '+275760-09-13' } = pred;
    return values.some(
      (value) =>
        (typeof value === 'number' || typeof value === 'string') &&
        +new Date(after) <= +new Date(value) &&
        +new Date(value) < +new Date(before),
    );
  }
  const objects = values.filter((value) => typeof value === 'object');
  const holding = (inner: Pred): number => objects.filter((element) => matches(inner, element, null)).length;
  if ('any' in pred) return objects.length > 0 && within(holding(pred.any), pred);
  if ('all' in pred) return objects.length > 0 && holding(pred.all) === objects.length;
  if ('none' in pred) return holding(pred.none) === 0;
  for (const op of ['gte', 'gt', 'lte', 'lt', 'between'])
    if (op in leaf)
      return values.some(
        (value) => typeof value === 'number' && Number.isFinite(value) && compares(leaf as never, value),
      );
  const texts = values.map(lower).filter((text) => text !== null);
  if (texts.length === 0) return false;
  const { eq, neq } = leaf as { eq?: Scalar; neq?: Scalar };
  const op = eq !== undefined ? 'in' : neq !== undefined ? 'nin' : Object.keys(meets).find((tag) => tag in leaf)!;
  const operands = [
    ...new Set(
      eq !== undefined
        ? [lower(eq)!]
        : neq !== undefined
          ? [lower(neq)!]
          : (leaf[op] as unknown as readonly Scalar[]).map((operand) => lower(operand)!),
    ),
  ];
  const hits = operands.filter((operand) => texts.some((text) => meets[op]!(text, operand))).length;
  return op === 'nin' ? hits === 0 : within(hits, pred);
};

const within = (
  count: number,
  { min = 1, max = Infinity }: { readonly min?: number; readonly max?: number },
): boolean => count >= min && count <= max;

const msOf = (duration: unknown): number => {
  if (typeof duration === 'number') return duration;
  const units: Record<string, number> = {
    seconds: 1000,
    minutes: 60_000,
    hours: 3_600_000,
    days: 86_400_000,
    weeks: 604_800_000,
  };
  return Object.entries(duration as Record<string, number>).reduce((sum, [unit, n]) => sum + units[unit]! * n, 0);
};

export class Oracle {
  readonly members = new Set<string>();
  private readonly happened: EngineEvent[] = [];
  private now = 0;
  session: string | null = 's1';
  view: string | null = 'v1';

  constructor(
    private readonly definitions: readonly Definition[],
    private readonly geo: unknown,
  ) {}

  /** Something happens, or only time passes; answers the transitions, signed by entry and exit. */
  step(now: number, event?: EngineEvent): string[] {
    this.now = Math.max(this.now, now);
    if (event !== undefined) this.happened.push(event);
    const transitions: string[] = [];
    for (let wave = 0; wave <= 100; wave++) {
      const flips = this.definitions.filter(({ id, q, sub }) => this.holds(q, sub ?? []) !== this.members.has(id));
      if (flips.length === 0) break;
      for (const { id } of flips.sort((a, b) => Number(a.id) - Number(b.id))) {
        const entry = !this.members.delete(id);
        if (entry) this.members.add(id);
        transitions.push(`${entry ? '+' : '-'}${id}`);
        this.happened.push({
          name: entry ? 'SegmentEntry' : 'SegmentExit',
          time: this.now,
          properties: { segment_number: Number(id) },
          session_id: this.session,
          view_id: this.view,
        });
      }
    }
    return transitions;
  }

  holds(q: Expr, sub: readonly Expr[]): boolean {
    const rest = (child: Expr): boolean => this.holds(child, sub);
    if ('const' in q) return q.const;
    if ('and' in q) return q.and.every(rest);
    if ('or' in q) return q.or.some(rest);
    if ('not' in q) return !rest(q.not);
    if ('match' in q) return within(q.match.filter(rest).length, q);
    if ('sub' in q) return rest(sub[q.sub - 1]!);
    if ('cohort' in q) return this.members.has(q.cohort);
    if ('lookup' in q) return matches(q.where, this.geo, null);
    if ('last' in q || 'first' in q) return this.edge(q);
    if ('entered' in q || 'exited' in q) {
      const name = 'entered' in q ? 'SegmentEntry' : 'SegmentExit';
      const id = 'entered' in q ? q.entered : q.exited;
      return this.counts(
        q,
        this.happened
          .filter((event) => event.name === name && event.properties['segment_number'] === Number(id))
          .map((event) => ({ event, weight: 1 })),
      );
    }
    if ('sequence' in q)
      return this.counts(q, this.completions(q.sequence, q.span === undefined ? Infinity : msOf(q.span)));
    if (!('event' in q)) throw new Error('not spoken here');
    const events = this.of(q);
    if (q.distinct !== undefined) {
      const path = q.distinct;
      const pairs = events.flatMap((event) =>
        read(path, event.properties, event).map((value) => ({
          event,
          value: typeof value === 'boolean' ? String(value) : lower(value),
        })),
      );
      return compares(
        q.is ?? { gte: 1 },
        new Set(
          pairs.filter(({ event, value }) => value !== null && this.isInWindow(event, q)).map(({ value }) => value),
        ).size,
      );
    }
    const sum = q.sum;
    return this.counts(
      q,
      events.map((event) => ({ event, weight: sum === undefined ? 1 : total(read(sum, event.properties, event)) })),
      sum === undefined ? 1 : 1000,
    );
  }

  private of({ event, where }: Step): EngineEvent[] {
    return this.happened.filter(
      (candidate) =>
        [event].flat().includes(candidate.name) &&
        (where === undefined || matches(where, candidate.properties, candidate)),
    );
  }

  private counts(
    q: { readonly is?: Cmp; readonly within?: unknown; readonly buckets?: number },
    weighed: readonly { readonly event: EngineEvent; readonly weight: number }[],
    unit = 1,
  ): boolean {
    const value = weighed.filter(({ event }) => this.isInWindow(event, q)).reduce((sum, { weight }) => sum + weight, 0);
    return compares(q.is ?? { gte: 1 }, value / unit);
  }

  private isInWindow(
    { time, session_id, view_id }: EngineEvent,
    { within: window, buckets = 100 }: { readonly within?: unknown; readonly buckets?: number },
  ): boolean {
    if (window === undefined) return true;
    if (window === 'session') return this.session !== null && session_id === this.session;
    if (window === 'view') return this.view !== null && view_id === this.view;
    const count = Math.min(buckets, msOf(window));
    const width = Math.floor(msOf(window) / count);
    return Math.floor(this.now / width) - Math.floor(time / width) < count;
  }

  private edge(q: Extract<Expr, { readonly last: Step } | { readonly first: Step }>): boolean {
    const events = this.of('last' in q ? q.last : q.first);
    if (events.length === 0) return false;
    const times = events.map(({ time }) => time);
    const edge = 'last' in q ? Math.max(...times) : Math.min(...times);
    return (
      (q.within === undefined || this.now - edge < msOf(q.within)) &&
      events.some((event) => event.time === edge && matches(q.is, event.properties, event))
    );
  }

  private completions(steps: readonly Step[], spanMs: number): { event: EngineEvent; weight: number }[] {
    const serving = steps.map((step) => new Set(this.of(step)));
    const leadsTo = (before: number, step: number, end: number): boolean =>
      this.happened
        .slice(0, before)
        .some(
          (event, i) =>
            serving[step]!.has(event) &&
            event.time <= end &&
            end - event.time <= spanMs &&
            (step === 0 || leadsTo(i, step - 1, end)),
        );
    return this.happened.flatMap((event, i) =>
      serving.at(-1)!.has(event) && leadsTo(i, steps.length - 2, event.time) ? [{ event, weight: 1 }] : [],
    );
  }
}

const total = (values: readonly unknown[]): number =>
  Math.round(
    values.reduce<number>(
      (sum, value) => sum + (typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0),
      0,
    ) * 1000,
  );
