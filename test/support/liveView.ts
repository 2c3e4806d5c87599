import type { RunLog } from '../../src/runLog/runLog';
import type { RunView } from '../../src/runLog/runView';

/** A running agent with this log. */
export function liveView(log: RunLog, more: Partial<Pick<RunView, 'startedAt' | 'state' | 'words'>> = {}): RunView {
  const never = (): { dispose(): void } => ({ dispose: () => undefined });
  return {
    ...{
      type: 'live',
      id: 'run-1',
      name: 'Mine',
      protocol: 'acp',
      startedAt: 0,
      state: { type: 'running', agent: {} },
    },
    ...{ onDidChangeState: never, level: 'info', onDidChangeLevel: never, log, words: [], cwd: '/work' },
    ...{ journal: undefined, redaction: undefined },
    ...more,
  };
}
