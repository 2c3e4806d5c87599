// @ts-check
// Tables of the settings in package.json, with the texts of package.nls.json.

/**
 * @typedef {object} Setting
 * @property {string | readonly string[]} [type]
 * @property {unknown} [default]
 * @property {number} [order]
 * @property {string} [description]
 * @property {string} [markdownDescription]
 * @property {readonly unknown[]} [enum]
 * @property {string[]} [enumDescriptions]
 * @property {false | { type?: unknown, anyOf?: unknown, properties?: Record<string, Setting> }} [additionalProperties]
 */

/** @typedef {Readonly<Record<string, string>>} Texts */

/**
 * All settings, in the order of the Settings editor.
 * @param {Record<string, Setting>} settings
 * @param {Texts} texts
 * @returns {string}
 */
export function settingsTable(settings, texts) {
  const rows = Object.entries(settings).sort(
    ([name, a], [otherName, b]) => (a.order ?? 0) - (b.order ?? 0) || (name < otherName ? -1 : 1),
  );
  return table(['Setting', 'Default', 'What it does'], rows, texts);
}

/**
 * The fields of a setting's entries, such as an agent in `agentLogs.agents`.
 * @param {Setting | undefined} setting
 * @param {Texts} texts
 * @returns {string}
 */
export function entryTable(setting, texts) {
  return table(
    ['Field', 'Default', 'What it is'],
    Object.entries((setting?.additionalProperties || {}).properties ?? {}),
    texts,
  );
}

/**
 * @param {string[]} head
 * @param {[string, Setting][]} rows
 * @param {Texts} texts
 */
function table(head, rows, texts) {
  const lines = rows.map(([name, setting]) => [code(name), defaultOf(setting), descriptionOf(setting, texts)]);
  return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.map(cell).join(' | ')} |`).join('\n');
}

/** @param {Setting} setting */
function defaultOf({ default: value }) {
  return value === undefined ? '' : code(JSON.stringify(value));
}

/**
 * @param {Setting} setting
 * @param {Texts} texts
 */
function descriptionOf({ description, markdownDescription, enum: values = [], enumDescriptions = [] }, texts) {
  const choices = enumDescriptions.map((text, index) => `${code(String(values[index]))}: ${textOf(text, texts)}`);
  const listed =
    enumDescriptions.length === 0 && values.length > 0 ? [`One of ${values.map(String).map(code).join(', ')}.`] : [];
  return [textOf(markdownDescription ?? description ?? '', texts), ...listed, ...choices.map(ended)].join(' ');
}

/**
 * @param {string} text
 * @param {Texts} texts
 */
function textOf(text, texts) {
  const key = /^%(.+)%$/.exec(text)?.[1];
  const found = key === undefined ? text : texts[key];
  if (found === undefined) throw new Error(`package.nls.json has no ${key}`);
  return found.replace(/`#([\w.]+)#`/g, '`$1`'); // links in the Settings editor
}

/** @param {string} text */
function ended(text) {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}

/** @param {string} text */
function cell(text) {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
