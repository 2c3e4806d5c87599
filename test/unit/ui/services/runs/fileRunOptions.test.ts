import assert from 'node:assert/strict';
import { fileRunOptions } from '../../../../../src/ui/services/runs/fileRunOptions';
import { redactionWith } from '../../../../support/redaction';

describe('options for reading a file', () => {
  function redaction(
    info: { readonly origin: 'past' | 'tapped' | 'opened'; readonly isRedacted: boolean } | undefined,
    patterns: readonly RegExp[] = [],
    redacts = true,
  ): boolean {
    const own = redacts ? redactionWith(...patterns) : undefined;
    const configuration = { level: 'info', maxMemory: 1, redaction: own } as const;
    return fileRunOptions(configuration, info).redaction !== undefined;
  }

  it('redacts files that may contain secrets', () => {
    assert.equal(redaction({ origin: 'past', isRedacted: true }), false);
    assert.equal(redaction({ origin: 'past', isRedacted: false }), true, 'written while they were wanted');
    assert.equal(redaction({ origin: 'past', isRedacted: true }, [/mine/]), true, 'written before there were patterns');
    assert.equal(redaction({ origin: 'opened', isRedacted: true }), true, 'anybody can write a header');
    assert.equal(redaction({ origin: 'tapped', isRedacted: false }), true);
    assert.equal(redaction(undefined), true);
    assert.equal(redaction({ origin: 'past', isRedacted: false }, [], false), false);
  });
});
