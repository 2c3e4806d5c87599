import type { JsonObject } from '../../text/json';
import { numberOf, objectOf, textOf } from '../../text/json';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { ofFile } from '../../protocols/agentWriter/verbs';
import type { AgentStream } from '../reading/streams/agentStream';
import { CopilotReader, isEvent } from './events';

/** GitHub Copilot CLI, `copilot -p … --output-format json`: the events of a session's file, others that aren't saved, and a result. */
export const stream: AgentStream = {
  tried: { version: '1.0' },
  policy: ofFile,
  // Only the result has it.
  sessionIdNames: [],
  recognises: (event) => isEvent(event) || isResult(event),
  resembles: () => false,
  isShared: (event) => isEvent(event) && event['ephemeral'] !== true && event['type'] !== 'session.start',
  reader: () => new CopilotStreamReader(),
};

function isResult(event: JsonObject): boolean {
  return event['type'] === 'result' && typeof event['exitCode'] === 'number' && 'sessionId' in event;
}

class CopilotStreamReader implements AgentReader {
  private events: CopilotReader | undefined;

  read(event: JsonObject, writer: AgentWriter): void {
    // Unique, so that the sessions of several runs in one file aren't taken for one.
    this.events ??= new CopilotReader(textOf(event['parentId']) ?? textOf(event['id']));
    if (!isResult(event)) {
      this.events.read(event, writer);
      return writer.atLeast(textOf(event['type']) ?? 'event');
    }
    this.events.toMain(writer);
    this.events = undefined;
    readResult(event, writer);
  }
}

/** Ends the run. A turn that failed has already ended with its reason. */
function readResult(event: JsonObject, writer: AgentWriter): void {
  const exitCode = numberOf(event['exitCode']) ?? 0;
  const hasFailed = exitCode !== 0;
  if (writer.isInTurn) {
    writer.turnEnded(hasFailed ? { outcome: 'error', error: `exit code ${exitCode}` } : { outcome: 'ok' });
  }
  const { premiumRequests, totalApiDurationMs, codeChanges } = objectOf(event['usage']);
  const { linesAdded, linesRemoved } = objectOf(codeChanges);
  const data = { sessionId: event['sessionId'], premiumRequests, totalApiDurationMs, linesAdded, linesRemoved };
  writer.ended({ level: 'info', message: `session ended${hasFailed ? ` with exit code ${exitCode}` : ''}`, data });
}
