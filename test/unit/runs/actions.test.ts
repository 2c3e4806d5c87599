import assert from 'node:assert/strict';
import { actionsOf, actionsOfAgentNamed, actionsOfAny, actionsOfSession, isBusy } from '../../../src/runs/actions';
import type { Action, Actions } from '../../../src/runs/actions';
import type { FileRunInfo } from '../../../src/past/files/fileRunInfo';
import { FileRun } from '../../../src/past/files/fileRun';
import type { RunView } from '../../../src/runLog/runView';
import { commandIds } from '../../../src/ui/manifest/commands';
import { line, readLog } from '../../support/wireRows';

const running = { type: 'running', agent: {} } as const;
const ended = { type: 'ended', at: 1, termination: { reason: 'completed', terminatedBy: 'agent' } } as const;
const journal = { path: '/j', paths: ['/j'] };
const prompting = [
  line(0, 'c2a', { id: 1, method: 'initialize', params: { protocolVersion: 1 } }),
  line(5, 'c2a', {
    id: 2,
    method: 'session/prompt',
    params: { sessionId: 's', prompt: [{ type: 'text', text: 'hi' }] },
  }),
];

function runOf(fields: Partial<RunView>, events = prompting.slice(0, 1)): RunView {
  return { protocol: 'acp', state: running, log: readLog(events), journal, ...fields } as unknown as RunView;
}

function fileOf(fields: Partial<FileRunInfo>, type = 'unread'): RunView {
  const info = { id: 'f', origin: 'past', name: 'A', protocol: 'acp', command: [], cwd: '', paths: ['/j'], ...fields };
  const run = new FileRun(info as unknown as FileRunInfo, { level: 'info', maxMemory: 1e6, redaction: undefined });
  return Object.defineProperty(run, 'state', { value: { type } });
}

function has(actions: Actions, wanted: readonly Action[], unwanted: readonly Action[]): void {
  assert.deepEqual([wanted.filter((one) => !actions.has(one)), unwanted.filter((one) => actions.has(one))], [[], []]);
}

describe('what can be done with a run', () => {
  it('depends on its state and protocol', () => {
    has(actionsOf(runOf({})), ['stop', 'restart', 'newSession', 'prompt'], ['resumeSession', 'callTool', 'removeRun']);
    has(actionsOf(runOf({ protocol: 'mcp' })), ['stop', 'callTool'], ['newSession', 'prompt']);
    has(actionsOf(runOf({ state: { type: 'starting' } })), ['stop', 'restart'], ['prompt', 'deleteJournal']);
    has(actionsOf(runOf({ state: ended })), ['restart', 'showTermination', 'deleteJournal', 'removeRun'], ['stop']);
    has(actionsOf(runOf({ canResumeSessions: true })), ['resumeSession'], []);
    has(actionsOf(runOf({ journal: undefined, state: ended })), ['export'], ['revealJournal', 'deleteJournal']);
  });

  it('is little if another extension runs it', () => {
    has(actionsOf(runOf({ isPublished: true })), ['stop', 'export'], ['restart', 'newSession', 'prompt']);
  });

  it('has something to do with turns if it has one, or if that is unknown', () => {
    const withTurns: readonly Action[] = ['compare', 'exportTrace'];
    has(actionsOf(runOf({})), [], withTurns);
    has(actionsOf(runOf({}, prompting)), withTurns, []);
    has(actionsOf(fileOf({})), withTurns, []);
  });

  it('depends on who wrote the file that it is read from', () => {
    has(actionsOf(fileOf({})), ['deleteJournal', 'showTermination', 'setLevel'], ['stop', 'removeRun', 'keepCopy']);
    has(actionsOf(fileOf({ writer: 1 }, 'following')), ['removeRun'], ['deleteJournal']);
    has(actionsOf(fileOf({ origin: 'opened' }, 'following')), ['removeRun'], ['deleteJournal', 'showTermination']);
    has(actionsOf(fileOf({ origin: 'saved' })), ['keepCopy'], ['deleteJournal']);
  });

  it('is an id of a command', () => {
    const ids = new Set<string>(Object.keys(commandIds));
    const runs = [runOf({}, prompting), runOf({ protocol: 'mcp' }), runOf({ state: ended }), fileOf({})];
    for (const action of runs.flatMap((run) => [...actionsOf(run)])) assert.ok(ids.has(action), action);
  });
});

describe('what can be done with a session', () => {
  it('depends on its run, and whether a turn goes on', () => {
    const run = runOf({ canCloseSessions: true }, prompting);
    const group = run.log.find('s')!;
    has(actionsOfSession(run, group), ['prompt', 'cancel', 'closeSession', 'copySessionId'], ['setMode']);
    assert.equal(isBusy(run, group), true);
    has(actionsOfSession(run, { ...group, modes: [{ id: 'm', name: 'M' }] }), ['setMode'], []);
    has(actionsOfSession(run, { ...group, ended: true }), ['openExplorer'], ['prompt', 'cancel', 'setLevel']);
    has(actionsOfSession(run, run.log.connection), ['setLevel'], ['prompt', 'copySessionId', 'compare']);
    has(actionsOfSession(runOf({ isPublished: true }, prompting), group), ['setLevel'], ['prompt', 'cancel']);
  });

  it('of a subagent is to cancel it, at most', () => {
    const run = runOf({ canCancelSubagent: (id: string) => id === 's' }, prompting);
    const child = { ...run.log.find('s')!, parent: 'p' };
    has(actionsOfSession(run, child), ['cancel', 'copySessionId'], ['prompt', 'setLevel', 'closeSession']);
    has(actionsOfSession(runOf({}, prompting), child), [], ['cancel']);
  });
});

describe('what can be done with an agent', () => {
  it('depends on its latest run', () => {
    has(actionsOfAgentNamed(undefined), ['start', 'setLevel'], ['stop', 'restart', 'logOut']);
    has(actionsOfAgentNamed(runOf({})), ['stop', 'restart'], ['start']);
    has(actionsOfAgentNamed(runOf({ state: ended })), ['start'], ['stop', 'restart']);
    has(actionsOfAgentNamed(runOf({ isPublished: true })), ['stop'], ['restart']);
  });
});

describe('what can be done with any run', () => {
  it('is what one of them, or a session of one, can do', () => {
    has(actionsOfAny([]), [], ['openExplorer', 'export']);
    has(actionsOfAny([runOf({ state: ended })]), ['openExplorer', 'restart', 'showTermination'], ['stop', 'prompt']);
    const both = actionsOfAny([runOf({ state: ended }), runOf({ protocol: 'mcp' })]);
    has(both, ['showTermination', 'stop', 'callTool'], ['prompt', 'copySessionId']);
    has(actionsOfAny([runOf({ canCloseSessions: true }, prompting)]), ['closeSession', 'copySessionId'], ['setMode']);
  });

  it('has no turn to cancel in an idle session, nor a session to close in an ended run', () => {
    const answered = [...prompting, line(9, 'a2c', { id: 2, result: { stopReason: 'end_turn' } })];
    has(actionsOfAny([runOf({}, prompting)]), ['cancel'], []);
    has(actionsOfAny([runOf({}, answered)]), ['prompt'], ['cancel']);
    has(actionsOfAny([runOf({ state: ended, canCloseSessions: true }, answered)]), ['copySessionId'], ['closeSession']);
  });
});
