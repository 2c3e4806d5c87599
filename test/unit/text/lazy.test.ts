import assert from 'node:assert/strict';
import { lazy } from '../../../src/text/lazy';

describe('loading on first use', () => {
  it('happens once, and again only after a failure', async () => {
    let loads = 0;
    const load = lazy(() => (++loads === 1 ? Promise.reject(new Error('missing')) : Promise.resolve(loads)));
    assert.equal(loads, 0);
    await assert.rejects(Promise.all([load(), load()]), /missing/);
    assert.deepEqual(await Promise.all([load(), load(), load()]), [2, 2, 2]);
    assert.equal(loads, 2);
  });
});
