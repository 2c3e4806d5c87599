import { t } from '../../../src/log/translator';
import { shownErrors } from '../../support/vscodeStub';
import assert from 'node:assert/strict';
import { HumanError } from '../../../src/runs/humanError';
import { Runs } from '../../../src/runs/runs';
import { Cancelled } from '../../../src/runs/waiting';
import { ErrorReporter } from '../../../src/ui/errorReporter';
import type { ExtensionLog } from '../../../src/ui/logChannels';

describe('error reporter', () => {
  const logged: unknown[] = [];
  const log = { title: 'Show Log', error: (error: unknown) => void logged.push(error) } as unknown as ExtensionLog;
  const reporter = new ErrorReporter(new Runs(), log);

  beforeEach(() => {
    shownErrors.length = 0;
    logged.length = 0;
  });

  it('shows an error once, even if two commands fail with it', async () => {
    const error = new HumanError(t('It failed.'));
    await Promise.all([reporter.report(error), reporter.report(error)]);
    assert.deepEqual([shownErrors, logged], [['It failed.'], [error]]);
  });

  it('shows nothing if the user cancelled', async () => {
    await reporter.report(new Cancelled());
    assert.deepEqual([shownErrors, logged], [[], []]);
  });
});
