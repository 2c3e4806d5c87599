import { ownHead } from '../../../log/ownText';
import type { WireMessage } from '../../../wire/wireEvent';
import type { InterpreterSink } from '../../interpreter';
import type { JsonObject } from '../../json';
import { toolTitle } from '../../streams/toolText';
import type { ToolEnd } from './openTools';
import type { Retry, TurnEnd } from './savedWriter';

/** Longer texts say no more about how a turn ended, in characters. */
const maxText = 2000;

/**
 * What the lines of a saved session mean, for the diagnosis. Its rules know the events of agents' JSON streams, so each fact is the
 * stream event that says the same.
 */
export class SavedFacts {
  constructor(private readonly sink: InterpreterSink) {}

  turnStarted(event: WireMessage, sessionId: string | undefined, prompt: string | undefined): void {
    if (prompt !== undefined) {
      const message = { role: 'user', content: ownHead(prompt, maxText) };
      this.object(event, sessionId, { type: 'user', message }, 'c2a');
    }
    this.object(event, sessionId, { type: 'turn.started' });
  }

  turnEnded(event: WireMessage, sessionId: string | undefined, end: TurnEnd): void {
    const { outcome, error, stopReason, took, isCommand = false } = end;
    const time = took === undefined ? {} : { duration_ms: took };
    switch (outcome) {
      case 'interrupted':
        return this.object(event, sessionId, { type: 'result', terminal_reason: 'aborted', ...time });
      case 'failed':
        return this.object(event, sessionId, {
          type: 'result',
          is_error: true,
          result: ownHead(error ?? 'the session does not say why', maxText),
          ...time,
        });
      case 'ok':
        return this.object(event, sessionId, {
          type: 'result',
          subtype: 'success',
          stop_reason: stopReason ?? 'end_turn',
          ...(isCommand && { local_command: 'command' }),
          ...time,
        });
    }
  }

  said(event: WireMessage, sessionId: string | undefined, text: string): void {
    this.object(event, sessionId, { type: 'message', role: 'assistant', content: ownHead(text, maxText) });
  }

  acted(event: WireMessage, sessionId: string | undefined): void {
    this.object(event, sessionId, { type: 'reasoning' });
  }

  toolStarted(
    event: WireMessage,
    sessionId: string | undefined,
    key: string | undefined,
    name: string,
    input: unknown,
  ): void {
    if (key === undefined) return this.acted(event, sessionId);
    const title = ownHead(toolTitle(name, input), maxText);
    this.object(event, sessionId, {
      type: 'tool_use',
      tool_id: key,
      tool_name: name,
      parameters: { command: title },
    });
  }

  toolEnded(event: WireMessage, sessionId: string | undefined, key: string | undefined, end: ToolEnd): void {
    const { outcome, exitCode, title = 'tool', output } = end;
    if (exitCode !== undefined && exitCode !== 0 && (outcome === 'ok' || outcome === 'failed')) {
      const item = {
        type: 'command_execution',
        id: key,
        command: ownHead(title, maxText),
        status: 'failed',
        exit_code: exitCode,
        aggregated_output: ownHead(output, maxText),
      };
      return this.object(event, sessionId, { type: 'item.completed', item });
    }
    const failure = outcome === 'failed' ? { status: 'error', error: { message: ownHead(output, maxText) } } : {};
    this.object(event, sessionId, { type: 'tool_result', tool_id: key ?? '', ...failure });
  }

  retried(event: WireMessage, sessionId: string | undefined, { status, inMs, why }: Retry): void {
    this.object(event, sessionId, {
      type: 'system',
      subtype: 'api_retry',
      error: ownHead(why, maxText),
      ...(status !== undefined && { error_status: status }),
      ...(inMs !== undefined && { retry_delay_ms: inMs }),
    });
  }

  private object(event: WireMessage, sessionId: string | undefined, msg: JsonObject, dir: 'a2c' | 'c2a' = 'a2c'): void {
    this.sink.fact?.({ type: 'object', event, dir, msg, sessionId });
  }
}
