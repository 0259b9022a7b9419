import { yieldThread } from '../../src/platform/yieldThread';
import { settled } from '../support/waiting';

describe('yieldThread', () => {
  it('lets what waits in the thread go first', async () => {
    const order: string[] = [];
    const done = new Promise<void>((resolve) => {
      yieldThread().subscribe({ next: () => order.push('yielded'), complete: resolve });
    });
    order.push('sync');
    await Promise.resolve().then(() => order.push('microtask'));
    await done;
    expect(order).toEqual(['sync', 'microtask', 'yielded']);
  });

  it('is over when unsubscribed', async () => {
    const next = jest.fn();
    yieldThread().subscribe(next).unsubscribe();
    await settled();
    expect(next).not.toHaveBeenCalled();
  });
});
