import assert from 'node:assert/strict';
import { describeExitCode } from '../../../src/wire/termination';

describe('an exit code', () => {
  it('is shown as people know it, also those of Windows', () => {
    const codes = [0, 3, 255, 256, 4711, 0xffffffff, 0xc0000005, -1073741819, 0xc000013a, 0xdeadbeef];
    assert.deepEqual(codes.map(describeExitCode), [
      '0',
      '3',
      '255',
      '256',
      '4711',
      '-1',
      '0xC0000005 (access violation)',
      '0xC0000005 (access violation)',
      '0xC000013A (Ctrl+C)',
      '0xDEADBEEF',
    ]);
  });
});
