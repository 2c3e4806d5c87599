import assert from 'node:assert/strict';
import { revealRow } from '../../../../../src/ui/surfaces/tree/revealRow';

describe('revealing a row', () => {
  it('reveals it with the given options', async () => {
    const revealed: unknown[] = [];
    const view = {
      reveal: (...args: unknown[]) => {
        revealed.push(args);
        return Promise.resolve();
      },
    };
    await revealRow(view, 'row', { select: true, focus: false });
    assert.deepEqual(revealed, [['row', { select: true, focus: false }]]);
  });

  it('does not fail if the row has just left its page', async () => {
    await revealRow({ reveal: () => Promise.reject(new Error('Data tree node not found')) }, 'row', {});
    const throwing = {
      reveal: (): never => {
        throw new Error('Cannot resolve tree item for element');
      },
    };
    await revealRow(throwing, 'row', {});
  });
});
