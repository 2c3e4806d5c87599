import type { OpenRequest } from '../../protocols/jsonrpc/requests';
import { FileRun, isOurs } from '../../runs/files/fileRun';
import type { LogGroup } from '../../runs/logGroup';
import type { RunView } from '../../runs/runView';
import { isLive } from '../../runs/runView';

// What a row is, as the `viewItem` that the menus of package.json ask for. A test holds them against these.

export const contexts = { files: 'files', mistake: 'mistake', past: 'past', record: 'record' } as const;

export function agentContext(live: boolean): string {
  return `agent;${live ? 'live' : 'idle'}`;
}

export function runContext(run: RunView): string {
  const { type } = run.state;
  if (run instanceof FileRun) return `run;${isOurs(run) ? 'past' : 'file'};${type}`;
  // What another extension runs is not ours to speak to.
  return `run;${isLive(run) ? 'live' : 'ended'};${type};${run.isPublished === true ? 'published' : run.protocol}`;
}

export function groupContext(run: RunView, group: LogGroup): string {
  const flags = [group.id === undefined ? 'connection' : 'session'];
  if (run.state.type === 'running' && !group.ended) flags.push(run.isPublished === true ? 'shown' : 'live');
  if (run.canCloseSessions === true) flags.push('closable');
  if (group.modes.length > 0) flags.push('modes');
  if (run.isPublished === true) return flags.join(';');
  if (run.log.requests.some(({ method, sessionId }) => method === 'session/prompt' && sessionId === group.id)) {
    flags.push('busy');
  }
  return flags.join(';');
}

export function requestContext(
  run: Pick<RunView, 'isPublished'>,
  { direction }: Pick<OpenRequest, 'direction'>,
): string {
  return run.isPublished === true ? 'request;shown' : `request;${direction}`;
}
