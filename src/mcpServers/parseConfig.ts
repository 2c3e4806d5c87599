import type { ConfigFile } from './configFiles';
import type { ConfigNode, ConfigParser } from './configNode';
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
