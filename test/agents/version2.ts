import type { Scenario } from './realAgent';
import { closeAndCheck, sessionIdsBelow } from './sessions';
import type { Trial } from './trial';

interface Abilities {
  /** How deep its subagents nest. */
  readonly depth: 1 | 2;
  /** The mode in which it asks the user. */
  readonly askingMode?: string;
}

/** Scenarios for an agent that speaks version 2 of ACP, with a model that plays scenes (`mockScenes.ts`). */
export function version2({ depth, askingMode }: Abilities): readonly Scenario[] {
  return [
    { name: 'v2-queue', play: playQueue },
    { name: 'v2-subagents', play: (trial) => playSubagents(trial, depth) },
    { name: 'v2-subagent-asks', play: (trial) => playSubagentAsks(trial, askingMode) },
    { name: 'v2-compaction', play: playCompaction },
    { name: 'v2-resume', play: playResume },
  ];
}

async function begin(trial: Trial): Promise<string> {
  await trial.start();
  trial.checks.inOrder('the connection', trial.connectionRecords, [{ message: /protocol version 2$/ }]);
  trial.permissions.habit = 'allow';
  return trial.newSession();
}

/** A prompt that is sent while another one runs has a turn after it. */
async function playQueue(trial: Trial): Promise<void> {
  const { checks } = trial;
  const sessionId = await begin(trial);
  const slow = trial.prompt(sessionId, '[[slow]]');
  await trial.until({ logger: 'turn', message: /^running/ });
  const queued = trial.prompt(sessionId, '[[tool]]');
  checks.equal('the stop reasons', await Promise.all([slow, queued]), ['end_turn', 'end_turn']);
  checks.inOrder('the turns', trial.recordsOf(sessionId), [
    { logger: 'prompt', message: /slow/ },
    { logger: 'prompt', message: /tool/ },
    { logger: 'turn', message: /^ended/ },
    { logger: 'tool', message: /^echo out \(completed\)/ },
    { logger: 'agent', message: /^The command ran/ },
    { logger: 'turn', message: /^ended/ },
  ]);
  checks.equal('the problems', trial.troubles(sessionId).filter(({ kind }) => kind === 'diagnosis').length, 0);
  await closeAndCheck(trial, sessionId);
}

/** A subagent, which may start another one: each has its own session, below its parent's, and its own records. */
async function playSubagents(trial: Trial, depth: 1 | 2): Promise<void> {
  const { checks, run } = trial;
  const sessionId = await begin(trial);
  checks.equal(
    'the stop reason',
    await trial.prompt(sessionId, depth === 2 ? '[[nested]]' : '[[delegate]]'),
    'end_turn',
  );
  const line = [sessionId];
  for (let level = 0; level < depth; level++) {
    const below = sessionIdsBelow(trial, line.at(-1) ?? '');
    checks.equal('the number of subagents', below.length, 1);
    line.push(...below);
    checks.inOrder("a subagent's work", trial.recordsOf(line.at(-1) ?? ''), [{ logger: 'turn', message: /^ended/ }]);
  }
  checks.inOrder("the last subagent's work", trial.recordsOf(line.at(-1) ?? ''), [
    { logger: 'tool', message: /^echo out \(completed\)/ },
    { logger: 'agent', message: /^The command ran/ },
    { logger: 'turn', message: /^ended/ },
  ]);
  const ends = run.log.spans({ kinds: ['subagent'] }).map(({ outcome }) => outcome);
  checks.equal(
    'the ends of the subagents',
    ends,
    Array.from({ length: depth }, () => 'ok'),
  );
  await closeAndCheck(trial, sessionId);
}

/** The permission that a subagent asks for names it, and belongs to its session. */
async function playSubagentAsks(trial: Trial, mode: string | undefined): Promise<void> {
  const { checks, permissions } = trial;
  const sessionId = await begin(trial);
  if (mode !== undefined) await trial.run.setMode(sessionId, mode);
  checks.equal('the stop reason', await trial.prompt(sessionId, '[[delegateAsk]]'), 'end_turn');
  const [child] = sessionIdsBelow(trial, sessionId);
  const [asked] = permissions.asked;
  checks.equal('who asked', asked?.sessionId, child);
  checks.equal('how many it names', asked?.subagents?.length, 1);
  checks.inOrder('the question', trial.recordsOf(child ?? ''), [
    { logger: 'permission', level: 'notice', message: /asked for/ },
    { logger: 'permission', message: /^answered/ },
    { logger: 'tool', message: /\(completed\)/ },
  ]);
  await closeAndCheck(trial, sessionId);
}

async function playCompaction(trial: Trial): Promise<void> {
  const sessionId = await begin(trial);
  await trial.prompt(sessionId, '[[tool]]');
  await trial.prompt(sessionId, '/compact');
  trial.checks.inOrder('the session', trial.recordsOf(sessionId), [
    { logger: 'turn', message: /^ended/ },
    { logger: 'prompt', message: /^\/compact/ },
    { logger: 'compaction', level: 'info' },
    { logger: 'turn', message: /^ended/ },
  ]);
  await closeAndCheck(trial, sessionId);
}

/** A closed session is restored with its history, which isn't reported as news. */
async function playResume(trial: Trial): Promise<void> {
  const { checks, run } = trial;
  const sessionId = await begin(trial);
  await trial.prompt(sessionId, '[[tool]]');
  await closeAndCheck(trial, sessionId);
  const earlier = await trial.step('list', () => run.listSessions());
  checks.that(
    'the session is listed',
    earlier.some((one) => one.sessionId === sessionId),
    JSON.stringify(earlier),
  );
  const before = trial.recordsOf(sessionId).length;
  const problems = trial.diagnoses().length;
  await trial.step('resume', () => run.resumeSession(sessionId));
  const replayed = trial.recordsOf(sessionId).slice(before);
  checks.inOrder('the history', replayed, [{ level: 'debug', message: /replay/ }]);
  const news = replayed.filter(({ level, kind }) => level !== 'debug' && kind === 'activity');
  checks.equal(
    'the news in it',
    news.map(({ message }) => message),
    [],
  );
  checks.equal('new problems', trial.diagnoses().length - problems, 0);
  checks.equal('the stop reason', await trial.prompt(sessionId, '[[tool]]'), 'end_turn');
  await closeAndCheck(trial, sessionId);
}
