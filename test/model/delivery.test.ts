import { withoutPlaceholders } from '../../src/model/delivery';

describe('withoutPlaceholders', () => {
  const read = (value: unknown): unknown => JSON.parse(withoutPlaceholders(JSON.stringify(value)));

  it('empties the values that the server is to fill in, at any depth', () => {
    const properties = {
      isp_info: '$ip_isp_info',
      about: { labels: ['$taxonomy_labels', 'a'], last: '$alchemy_keywords' },
    };
    expect(read(properties)).toEqual({ isp_info: null, about: { labels: [null, 'a'], last: null } });
  });

  it('leaves names and texts that contain such a word', () => {
    const properties = { $ip_isp_info: 1, text: 'an "$ip_isp_info" in quotes', other: '$ip isp', price: '$5' };
    expect(read(properties)).toEqual(properties);
  });
});
