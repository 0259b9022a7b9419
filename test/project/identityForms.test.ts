import { identityForm } from '../../project/identityForms';

describe('identityForm', () => {
  it.each([
    ['appnexus', {}, { url: 'https://ib.adnxs.com/getuidj', field: 'uid' }],
    [
      'tradedesk',
      { partner: 'the ledger' },
      { url: 'https://match.adsrvr.org/track/rid?ttd_pid=the%20ledger&fmt=json', field: 'TDID' },
    ],
    [
      'pubmatic',
      { publisherId: '12' },
      { url: 'https://image6.pubmatic.com/AdServer/UCookieSetPug?oid=5&p=12&ver=1', field: 'id' },
    ],
    ['neustar_fabrick', { apiKey: 'k' }, { url: 'https://fid.agkn.com/f?apiKey=k', field: 'fabrickId' }],
    ['gigya', {}, { call: 'gigya.accounts.getAccountInfo', field: 'UID' }],
    ['sailthru', {}, { cookie: 'sailthru_hid' }],
    ['amp', {}, { cookie: '_ga' }],
  ])('knows where %s keeps its id', (tag, given, provider) => {
    expect(identityForm(tag, given)).toEqual(provider);
  });

  it('lets the definition say where, and answers in the shape of the partner', () => {
    const url = 'https://id.site.example/ttd';
    expect(identityForm('tradedesk', { url })).toEqual({ url, field: 'TDID' });
    expect(identityForm('tradedesk', { url, field: 'id' })).toEqual({ url, field: 'id' });
    expect(identityForm('gigya', { global: 'reader.uid' })).toEqual({ global: 'reader.uid' });
  });

  it('keeps what else the definition says', () => {
    expect(identityForm('sailthru', { tcf_vendor_id: 9 })).toEqual({ cookie: 'sailthru_hid', tcf_vendor_id: 9 });
  });

  it.each([
    ['ddp', {}, '', 'url, call, cookie or global'],
    ['crm', { method: 'POST' as const }, '', 'url, call, cookie or global'],
    ['constructor', {}, '', 'url, call, cookie or global'],
    ['tradedesk', {}, '/partner', 'string'],
    ['pubmatic', { partner: 'p' }, '/publisherId', 'string'],
    ['neustar_fabrick', {}, '/apiKey', 'string'],
  ])('says what is missing of %s %p', (tag, given, path, expected) => {
    expect(identityForm(tag, given)).toEqual({ path, expected });
  });
});
