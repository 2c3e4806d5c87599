import { t } from '../../../../src/text/translator';
import { shownButtons, shownErrors } from '../../../support/vscodeStub';
import assert from 'node:assert/strict';
import { HumanError } from '../../../../src/text/humanError';
import { RecordStore } from '../../../../src/store/store';
import { RunLog } from '../../../../src/runLog/runLog';
import { Runs } from '../../../../src/runs/runs';
import type { RunView } from '../../../../src/runLog/runView';
import { Cancelled } from '../../../../src/time/waiting';
import { ErrorReporter } from '../../../../src/ui/services/errorReporter';
import type { ExtensionLog } from '../../../../src/ui/services/logChannels';

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

  it('shows no Markdown, and leaves the patterns of paths alone', async () => {
    await reporter.report(new HumanError(t('No session is open. Run **New Session** with `cwd` in src/**/*.ts.')));
    assert.deepEqual(shownErrors, ['No session is open. Run New Session with cwd in src/**/*.ts.']);
  });

  it('offers what installs a missing program, and why a run failed', async () => {
    const log = new RunLog(new RecordStore(1e6), 0);
    log.record({ receivedAt: 0, level: 'error', kind: 'diagnosis', message: 'Missing.' });
    const run = { id: 'r', name: 'Mine', log } as unknown as RunView;
    const error = new HumanError(t("The command 'npx' was not found."), ['settings']);
    error.missing = { type: 'program', name: 'npx' };
    await reporter.report(error, run);
    assert.deepEqual(shownErrors, ["Mine: The command 'npx' was not found."]);
    assert.deepEqual(shownButtons, ['Install Node.js…', 'Open Setting', 'Why?', 'Show Output']);
  });

  it('shows nothing if the user cancelled', async () => {
    await reporter.report(new Cancelled());
    assert.deepEqual([shownErrors, logged], [[], []]);
  });
});
