import type { Event, Properties } from '../model/event';

/** What the SDK adds to a Pageview: the client, and the visitor's place. */
const ofVisitor = ['client', 'geo_info', 'isp_info', 'ip_hash', 'ip_address'];

/** What the page itself has said of its content in a Pageview, for services that find cohorts of a page (spec S§7). */
export const pagePropertiesOf = ({ properties }: Pick<Event, 'properties'>): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !ofVisitor.includes(name)));
