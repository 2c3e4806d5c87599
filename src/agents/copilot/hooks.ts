import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf, textsOf } from '../../text/json';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';

const denial = /^Denied by \w+ hook(?:: )?/;

/** Reads `hook.start` and `hook.end`: all hooks of an event are one to Copilot, which combines their answers. */
export function readHook(type: string, data: JsonObject, writer: AgentWriter): void {
  const name = textOf(data['hookType']) ?? 'hook';
  const id = textOf(data['hookInvocationId']);
  if (type === 'hook.start') {
    const calls = arrayOf(objectOf(data['input'])['toolCalls']);
    const toolId = calls.length === 1 ? textOf(objectOf(calls[0])['id']) : undefined;
    return writer.hookStarted(id ?? name, name, toolId);
  }
  const output = objectOf(data['output']);
  const { decision, reason, additionalContext } = output;
  // Before tools, the output says of each call that may not run why.
  const denials = Object.entries(output).filter(([, said]) => denial.test(textOf(said) ?? ''));
  const [denied] = denials;
  const [error] = textsOf(objectOf(data['error'])['message'], data['error']);
  const about = { name, toolId: denials.length === 1 ? denied?.[0] : undefined };
  if (denied) {
    const why = (textOf(denied[1]) ?? '').replace(denial, '');
    return writer.hookEnded(id ?? name, { ...about, outcome: 'refused', output: why });
  }
  const isBlocked = decision === 'block' || decision === 'deny';
  const outcome = isBlocked ? 'refused' : data['success'] === false ? 'error' : 'ok';
  const said = outcome === 'error' ? textsOf(error) : textsOf(reason, additionalContext);
  writer.hookEnded(id ?? name, { ...about, outcome, output: said.join(' ') });
}
