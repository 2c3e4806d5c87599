import { Emitter } from '../../log/emitter';
import { RecordStore } from '../../log/store/store';
import { RunLog } from '../../runs/runLog';
import type { RunView } from '../../runs/runView';

/** A placeholder for a run whose journal no longer exists, so that its explorer can say so. */
export function goneRun(id: string): RunView {
  const never = new Emitter<never>().event;
  return {
    id,
    name: id.split('/').at(-1) ?? id,
    protocol: 'log',
    startedAt: 0,
    state: { type: 'unread' },
    onDidChangeState: never,
    level: 'debug',
    onDidChangeLevel: never,
    log: new RunLog(new RecordStore(0), 0),
    words: [],
    cwd: '',
    journal: undefined,
  };
}
