import { messageOf } from '../text/humanError';
import type { Words } from '../text/translator';
import { t, verbatim } from '../text/translator';
import type { ConfigFile } from './configFiles';
import type { ConfigNode, ConfigParser } from './configNode';
import { ConfigError } from './configNode';
import { jsonConfig } from './jsonConfig';
import { tomlConfig } from './tomlConfig';

const parsers: Readonly<Record<ConfigFile['form']['syntax'], ConfigParser>> = { json: jsonConfig, toml: tomlConfig };

/**
 * Reads the text of a settings file.
 * @throws ConfigError if it isn't well-formed
 */
export function parseConfig(text: string, { form }: Pick<ConfigFile, 'form'>): ConfigNode {
  return parsers[form.syntax](text);
}

/** What is wrong with a settings file that couldn't be read or parsed. */
export function whyUnreadable(error: unknown, { path, form }: ConfigFile): Words {
  return error instanceof ConfigError
    ? t("{0} can't be read: line {1} isn't valid {2}.", path, error.line, form.syntax.toUpperCase())
    : t("{0} can't be read: {1}", path, verbatim(messageOf(error)));
}
