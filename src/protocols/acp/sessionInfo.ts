import type { JsonObject } from '../../text/json';
import { arrayOf, objectOf, textOf } from '../../text/json';
import { ownHead } from '../../text/ownText';
import { oneLine } from '../../text/text';
import { askedIn } from '../agentWriter/askedText';
import type { SessionCommand, SessionMode } from '../interpreter';
import type { AcpSession } from './session';
import type { AcpWriter } from './writer';

const maxTitle = 200;
const maxModel = 300;
/** Limits on the choices. IDs and names are sent back unchanged, so one that is too long is dropped rather than cut. */
const maxModes = 100;
const maxId = 256;
const maxCommands = 200;
const maxName = 100;
const maxDescription = 300;

/** The agent sets or, with `undefined`, removes the title. */
export function titled({ id, lasting }: AcpSession, title: string | undefined, { sink }: AcpWriter): void {
  const own = title === undefined ? '' : oneLine(title, maxTitle);
  lasting.isTitled = own !== '';
  sink.session({ type: 'titled', sessionId: id, title: own === '' ? lasting.firstPrompt : own });
}

/** The user says something. The first prompt is the session's title until the agent sets one. */
export function prompted({ id, lasting }: AcpSession, text: string, { sink }: AcpWriter): void {
  if (lasting.firstPrompt !== undefined) return;
  const title = oneLine(askedIn(text), maxTitle);
  if (title === '') return;
  lasting.firstPrompt = title;
  if (lasting.isTitled !== true) sink.session({ type: 'titled', sessionId: id, title });
}

/** Reads the modes and the model from the response that opened the session. */
export function opened(session: AcpSession, result: JsonObject, out: AcpWriter): void {
  const { modes } = result;
  const current = modeIdOf(objectOf(modes)['currentModeId']);
  if (current === undefined) return optionsChanged(session, result, out);
  const available = modesIn(arrayOf(objectOf(modes)['availableModes']), 'id');
  out.sink.session({ type: 'modes', sessionId: session.id, current, available });
  usesModel(session, modelOf(result), out);
}

/** Reads the options, of which the model is one and, in version 2, the mode. */
export function optionsChanged(session: AcpSession, fields: JsonObject, out: AcpWriter): void {
  const option = modeOption(fields);
  if (option) {
    out.sink.session({ type: 'modes', sessionId: session.id, current: option.current, available: option.modes });
  }
  usesModel(session, modelOf(fields), out);
}

export function commandsChanged({ id }: AcpSession, update: JsonObject, { sink, sessions }: AcpWriter): void {
  const available = availableCommands(update);
  if (JSON.stringify(available) !== JSON.stringify(sessions.commands)) sessions.commands = available;
  sink.session({ type: 'commands', sessionId: id, available: sessions.commands });
}

export function modeChanged({ id }: AcpSession, modeId: unknown, { sink }: AcpWriter): void {
  const current = modeIdOf(modeId);
  if (current !== undefined) sink.session({ type: 'modes', sessionId: id, current });
}

/** The session works with this model from here on. @param isAnswer whether an answer names it */
export function usesModel({ id }: AcpSession, model: unknown, out: AcpWriter, isAnswer = false): void {
  const name = textOf(model);
  if (name === undefined) return;
  // Claude calls its recommended model "default" until it has used it.
  const to = name === 'default' ? undefined : ownHead(name, maxModel);
  out.fact(id, { type: 'model', to, isAnswer, isFallback: false });
}

export function modeIdOf(value: unknown): string | undefined {
  const id = textOf(value);
  return id === undefined || id.length > maxId ? undefined : id;
}

/** The configuration option for the session's mode. */
interface ModeOption {
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
function modelOf(fields: JsonObject): string | undefined {
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

/** The option of a category, which may have others: Cline's provider is of category `model`, too. */
function optionOf(of: 'mode' | 'model', { configOptions }: JsonObject): JsonObject | undefined {
  const options = arrayOf(configOptions)
    .map(objectOf)
    .filter(({ category, type }) => category === of && type === 'select');
  return options.find(({ id, configId = id }) => configId === of) ?? options[0];
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

/** The commands that an agent offers for a session's prompts (ACP "Slash Commands"). */
function availableCommands(update: JsonObject): readonly SessionCommand[] {
  return arrayOf(update['availableCommands'])
    .slice(0, maxCommands)
    .map(objectOf)
    .flatMap((command) => {
      const name = textOf(command['name'])?.replace(/^\//, '');
      if (name === undefined || name.length > maxName || !/^\S+$/.test(name)) return [];
      const description = oneLine(textOf(command['description']) ?? '', maxDescription);
      const hint = textOf(objectOf(command['input'])['hint']);
      return [{ name, description, ...(hint !== undefined && { hint: oneLine(hint, maxName) }) }];
    });
}
