import * as t from 'io-ts';

/** One measurement or count, under the name that the provider's dashboards know (spec C§3). */
export const Metric = t.strict({ name: t.string, value: t.number, labels: t.record(t.string, t.string) }, 'Metric');
export type Metric = Readonly<t.TypeOf<typeof Metric>>;
