import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import type { RequestFact } from '../../work/facts';
import { contentTextOf } from '../../work/tools/contentText';

/** A model that the user chose: its name, if it was said. */
export interface ChosenModel {
  readonly name: string | undefined;
}

const command = /^\s*\/model\b/;

/** The model that a request to an ACP agent chooses, itself or by a command of the agent. */
export function modelChosenBy({ request: { method }, params }: RequestFact): ChosenModel | undefined {
  switch (method) {
    case 'session/set_model':
      return { name: textOf(params['modelId']) };
    case 'session/set_config_option':
      return /model/i.test(textOf(params['configId']) ?? '') ? { name: textOf(params['value']) } : undefined;
    case 'session/prompt':
      return command.test(contentTextOf(params['prompt']) ?? '') ? { name: undefined } : undefined;
    default:
      return undefined;
  }
}

/** The same for a line to Claude's stream. */
export function modelChosenIn({ type, request, message }: JsonObject): ChosenModel | undefined {
  const { subtype, model } = objectOf(request);
  if (type === 'control_request' && subtype === 'set_model') return { name: textOf(model) };
  const isCommand = type === 'user' && command.test(contentTextOf(objectOf(message)['content']) ?? '');
  return isCommand ? { name: undefined } : undefined;
}
