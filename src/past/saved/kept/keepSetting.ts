import type { SaverId } from '../../../agents/agents';
import { savers } from '../../../agents/agents';
import { arrayOf, isObject } from '../../../text/json';
import { inLine } from '../../../text/text';
import type { Words } from '../../../text/translator';
import { t } from '../../../text/translator';

/** Which sessions to copy without being asked. */
export interface KeepSetting {
  readonly agents: readonly SaverId[];
  /** Those that haven't changed for so long, in milliseconds; absent: only before their agent deletes them. */
  readonly age?: number;
  /** How much the copies may take, in bytes. */
  readonly maxSize: number;
}

/** A mistake in `agentLogs.savedSessions.keep`. */
export interface KeepMistake {
  /** Where it is in the setting. Empty if the whole setting is invalid. */
  readonly path: readonly (string | number)[];
  readonly message: Words;
}

const keepName = 'agentLogs.savedSessions.keep';
/** In MB. */
export const keepSizes = { default: 1024, min: 1, max: 1_048_576 };
/** In days. */
export const keepAges = { min: 0, max: 3650 };
const fields = ['agents', 'age', 'maxSize'];
const mebibyte = 1024 * 1024;
const day = 86_400_000;
const example = '`{ "agents": ["claude"] }`';

/** Parses the setting. Without a valid agent, nothing is kept; a number that is invalid counts as absent. */
export function keepSettingIn(setting: unknown): {
  readonly setting: KeepSetting | undefined;
  readonly mistakes: readonly KeepMistake[];
} {
  if (setting === undefined || setting === null) return { setting: undefined, mistakes: [] };
  if (!isObject(setting)) {
    return {
      setting: undefined,
      mistakes: [{ path: [], message: t('`{0}` must be an object: {1}.', keepName, example) }],
    };
  }
  const mistakes: KeepMistake[] = [];
  const wrong = (path: KeepMistake['path'], message: Words): void => {
    mistakes.push({ path, message: t('{0}: {1}', [keepName, ...path].join('.'), message) });
  };
  for (const name of Object.keys(setting)) {
    if (!fields.includes(name)) wrong([name], t('Unknown field. The fields are {0}.', fields.join(', ')));
  }
  const number = (name: 'age' | 'maxSize', { min, max }: { readonly min: number; readonly max: number }) => {
    const value = setting[name];
    if (value === undefined || (typeof value === 'number' && value >= min && value <= max)) return value;
    wrong([name], t('Expected a number from {0} to {1}.', min, max));
    return undefined;
  };
  const [age, maxSize = keepSizes.default] = [number('age', keepAges), number('maxSize', keepSizes)];
  const agents = agentsIn(setting['agents'], wrong);
  if (agents.length === 0) return { setting: undefined, mistakes };
  return { setting: { agents, maxSize: maxSize * mebibyte, ...(age !== undefined && { age: age * day }) }, mistakes };
}

function agentsIn(value: unknown, wrong: (path: KeepMistake['path'], message: Words) => void): readonly SaverId[] {
  if (value !== undefined && !Array.isArray(value)) wrong(['agents'], t('Expected a list of agents: {0}.', example));
  const agents = new Set<SaverId>();
  for (const [index, name] of arrayOf(value).entries()) {
    const agent = savers.find(({ id }) => id === name)?.id;
    if (agent !== undefined) agents.add(agent);
    else {
      const known = savers.map(({ id }) => id).join(', ');
      wrong(['agents', index], t('There is no agent {0}. The agents are {1}.', inLine(JSON.stringify(name)), known));
    }
  }
  return [...agents];
}
