import { oneLine } from '../../text/text';
import type { SessionMode } from '../interpreter';
import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';

/** Limits on the choices. IDs are sent back unchanged, so one that is too long is dropped rather than cut. */
const maxModes = 100;
const maxId = 256;

export function modeIdOf(value: unknown): string | undefined {
  const id = textOf(value);
  return id === undefined || id.length > maxId ? undefined : id;
}

/** The modes that a session supports (ACP "Session Modes"). */
export function availableModes(modes: unknown): readonly SessionMode[] {
  return modesIn(arrayOf(objectOf(modes)['availableModes']), 'id');
}

/** The configuration option for the session's mode. */
export interface ModeOption {
  readonly configId: string;
  readonly current: string;
  readonly modes: readonly SessionMode[];
}

/** Finds the option of category `mode` in `configOptions` (ACP "Session Config Options"). */
export function modeOption(fields: JsonObject): ModeOption | undefined {
  const option = optionOf('mode', fields);
  const configId = modeIdOf(option?.['configId'] ?? option?.['id']);
  const current = modeIdOf(option?.['currentValue']);
  if (!option || configId === undefined || current === undefined) return undefined;
  // Options may be grouped.
  const values = arrayOf(option['options']).flatMap((value) => {
    const { options } = objectOf(value);
    return Array.isArray(options) ? arrayOf(options) : [value];
  });
  return { configId, current, modes: modesIn(values, 'value') };
}

/** The session's model: an option of category `model`, or `models` of earlier agents. */
export function modelOf(fields: JsonObject): string | undefined {
  return textOf(optionOf('model', fields)?.['currentValue']) ?? textOf(objectOf(fields['models'])['currentModelId']);
}

/** The model that wrote an answer, if its `_meta` names one, itself or below the agent's name. A subagent has its own. */
export function answerModelOf(meta: JsonObject): string | undefined {
  const places = [meta, ...Object.values(meta).slice(0, 20).map(objectOf)];
  if (places.some((place) => textOf(place['parentToolUseId']) !== undefined)) return undefined;
  const models = places.flatMap((place) => textOf(place['model']) ?? textOf(place['modelId']) ?? []);
  return models[0] ?? onlyModelIn(objectOf(meta['quota'])['model_usage']);
}

/** Gemini lists the models of a turn, among them its helpers. */
function onlyModelIn(list: unknown): string | undefined {
  const models = arrayOf(list).map((one) => textOf(objectOf(one)['model']));
  return models.length === 1 ? models[0] : undefined;
}

function optionOf(of: 'mode' | 'model', { configOptions }: JsonObject): JsonObject | undefined {
  return arrayOf(configOptions)
    .map(objectOf)
    .find(({ category, type }) => category === of && type === 'select');
}

function modesIn(values: readonly unknown[], idField: 'id' | 'value'): readonly SessionMode[] {
  return values
    .slice(0, maxModes)
    .map(objectOf)
    .flatMap((mode) => {
      const id = modeIdOf(mode[idField]);
      return id === undefined ? [] : [{ id, name: oneLine(textOf(mode['name']) ?? id, 200) }];
    });
}
