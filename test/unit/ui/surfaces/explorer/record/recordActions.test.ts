import { copied } from '../../../../../support/vscodeStub';
import assert from 'node:assert/strict';
import type { DiagnosisCode } from '../../../../../../src/diagnosis/diagnosis';
import type { RecordDraft } from '../../../../../../src/text/record';
import { RecordStore } from '../../../../../../src/store/store';
import { RunLog } from '../../../../../../src/runLog/runLog';
import type { RunView } from '../../../../../../src/runLog/runView';
import type { RecordAction } from '../../../../../../src/explorer/page/messages';
import type { ActionServices } from '../../../../../../src/ui/surfaces/explorer/record/recordActions';
import { RecordActions } from '../../../../../../src/ui/surfaces/explorer/record/recordActions';

describe('what is done with a record', () => {
  const log = new RunLog(new RecordStore(1e6), 0);
  const red = '\u001b[31mred\u001b[0m\u0007\u202e';
  const draft: RecordDraft = { receivedAt: 0, level: 'error', kind: 'stderr', message: red, raw: red };
  log.record(draft);
  const run = { log, words: ['agent', `x\nrm -rf ~ ${red}`, '$HOME'] } as unknown as RunView;

  async function copy(action: Exclude<RecordAction, 'openRunJournal'>): Promise<string> {
    await new RecordActions({} as ActionServices).run(action, [1], run);
    return copied.text;
  }

  it('is a document that opens', async () => {
    const opened: unknown[] = [];
    const documents = { open: (...given: readonly unknown[]) => opened.push(...given) };
    await new RecordActions({ documents } as unknown as ActionServices).run('openAsText', [1], run);
    assert.deepEqual(opened, [run, log.store.get(1)]);
  });

  it('is a command that a shell reads as the same words', async () => {
    assert.equal(await copy('copyCommand'), `agent 'x rm -rf ~ red' '$HOME'`);
  });

  it('is no command for a server with a URL, whose setting can be opened', () => {
    const launcher = { known: [{ name: 'Server' }], isInSettings: (name: string): boolean => name === 'Server' };
    const actions = new RecordActions({ launcher } as unknown as ActionServices);
    const own = { name: 'Server', protocol: 'mcp', state: { type: 'running' }, words: ['https://x.example'] };
    const server = { ...run, ...own } as unknown as RunView;
    const labels = (code: DiagnosisCode): readonly string[] =>
      actions.buttonsOf({ code, count: 1, since: 0, evidence: [] }, server).map(({ label }) => label);
    assert.deepEqual(labels('failed-request'), ['Open Setting', 'Restart']);
    assert.deepEqual(labels('authentication-required'), ['Open Setting', 'Restart']);
    assert.deepEqual(labels('agent-ended'), ['Restart', 'Open Setting']);
  });

  it('has no ANSI escapes and no control characters', async () => {
    assert.equal(await copy('copyMessage'), 'red');
    for (const action of ['copyRaw', 'copyJson'] as const) {
      assert.match(await copy(action), /red/);
      assert.doesNotMatch(copied.text, /[\u0000-\u0009\u000b-\u001f\u202e]/, action);
    }
  });
});
