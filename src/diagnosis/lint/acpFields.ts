import { boundedJson } from '../../log/boundedJson';
import type { JsonObject } from '../../protocols/json';
import { arrayOf, isObject, objectOf, textOf } from '../../protocols/json';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import type { Misshape, Shapes } from './shapes';
import { blockFlaw, kindOf, maxEntries, misshape, misshapen } from './shapes';
import { entriesOf, optionKinds, requiredOf, toolContentFields, toolStates } from './acpShapes';

/** One thing that ACP does not allow: what, and how it should be. */
export type Violation = Pick<Finding, 'what' | 'level' | 'key'> & { readonly advice: string };

const toolContent = 'a list of content, as `{"type":"content","content":{"type":"text","text":"…"}}`';
/** Content that has to be wrapped where a tool call is told of. */
const bareBlocks: ReadonlySet<string> = new Set(['text', 'image', 'audio', 'resource_link', 'resource']);

const ofOption: Shapes = [
  ['optionId', 'string'],
  ['name', 'string'],
  ['kind', 'string'],
];

/** Fields that are missing, or have another shape. */
export function ofFields(name: string, fields: JsonObject, shapes: Shapes): Violation[] {
  return [...missing(name, fields, shapes), ...misshapen(name, fields, shapes).map(asViolation)];
}

/** What an update says of a tool call. A client drops what it does not know of it, and goes on with what was before. */
export function ofTool(kind: string, { status, content }: JsonObject, conversation: Conversation): Violation[] {
  const found: Violation[] = [];
  // In the middle of a conversation nobody knows its version, and version 2 has other states.
  if (!isNone(status) && !toolStates.has(textOf(status) ?? '') && conversation.initializeResult) {
    const what = `a state of a tool call that ACP does not have: ${boundedJson(status, 60)}`;
    const advice = `It has ${[...toolStates].join(', ')}; to a client that drops it the call goes on as before.`;
    found.push({ what, level: 'warning', advice, key: 'tool state' });
  }
  if (isNone(content)) return found;
  if (!Array.isArray(content)) return [...found, asViolation(misshape(kind, 'content', content, toolContent))];
  for (const item of content.slice(0, maxEntries)) {
    const flaw = itemFlaw(item);
    if (flaw === undefined) continue;
    return [...found, asViolation(misshape(kind, 'content[]', item, toolContent, flaw))];
  }
  return found;
}

/** Entries of the lists of an update that a client leaves out, since something in them is missing. */
export function ofEntries(kind: string, update: JsonObject): Violation[] {
  const [list = '', fields = []] = entriesOf(kind) ?? [];
  for (const entry of arrayOf(update[list]).slice(0, maxEntries)) {
    const missing = isObject(entry) ? fields.filter((field) => typeof entry[field] !== 'string') : fields;
    if (missing.length === 0) continue;
    const names = missing.map((field) => `\`${field}\``).join(', ');
    const what = `${kind} with an entry of \`${list}\` that is without ${names}: ${boundedJson(entry, 80)}`;
    const advice = 'ACP requires it, as a string: a client may leave out the entry without a word.';
    return [{ what, level: 'warning', advice, key: `${kind} ${list} ${names}` }];
  }
  return [];
}

/** What a permission is asked for, and the answers to choose from. */
export function ofPermission({ toolCall, options }: JsonObject): Violation[] {
  const call = isObject(toolCall)
    ? ofFields("a permission's `toolCall`", toolCall, requiredOf('tool_call_update'))
    : [];
  for (const option of arrayOf(options).slice(0, maxEntries).map(objectOf)) {
    const flaws = ofFields('an option of a permission', option, ofOption);
    if (flaws.length > 0) return [...call, ...flaws];
    if (optionKinds.has(textOf(option['kind']) ?? '')) continue;
    const what = `a kind of option that ACP does not have: ${boundedJson(option['kind'], 60)}`;
    const advice = `It has ${[...optionKinds].join(', ')}: a client may refuse the question.`;
    return [...call, { what, level: 'warning', advice, key: 'kind of option' }];
  }
  return call;
}

function itemFlaw(item: unknown): string | undefined {
  if (!isObject(item)) return kindOf(item);
  const type = textOf(item['type']);
  if (type === undefined) return 'an object without a `type`';
  if (bareBlocks.has(type)) return 'a bare content block';
  if (type === 'content') return blockFlaw(item['content']);
  const missing = toolContentFields.get(type)?.find((field) => typeof item[field] !== 'string');
  return missing === undefined ? undefined : `a ${type} without its \`${missing}\``;
}

function missing(name: string, fields: JsonObject, shapes: Shapes): Violation[] {
  const absent = shapes.filter(([field, shape]) =>
    shape === 'any' ? isNone(fields[field]) : fields[field] === undefined,
  );
  if (absent.length === 0) return [];
  const names = absent.map(([field]) => `\`${field}\``).join(', ');
  return [
    { what: `${name} without ${names}`, level: 'warning', advice: 'ACP requires it: a client may drop the message.' },
  ];
}

function asViolation({ what, wanted, key }: Misshape): Violation {
  return { what, level: 'warning', advice: `ACP wants ${wanted}: a client may drop it.`, key };
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null;
}
