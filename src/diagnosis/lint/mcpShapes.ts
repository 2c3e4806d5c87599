import { oneLine } from '../../log/text';
import type { JsonObject } from '../../protocols/json';
import { arrayOf, isObject, objectOf, textOf } from '../../protocols/json';
import type { Misshape, Shapes } from './shapes';
import { kindOf, maxEntries, misshape, misshapen, misshapenContent } from './shapes';

/** One thing that MCP does not allow: what, and how it should be where that is not plain. */
export interface Violation {
  readonly what: string;
  readonly advice?: string;
  readonly key?: string;
}

const lists: ReadonlyMap<string, Shapes> = new Map<string, Shapes>([
  ['tools/list', [['tools', 'list']]],
  ['resources/list', [['resources', 'list']]],
  ['resources/templates/list', [['resourceTemplates', 'list']]],
  ['resources/read', [['contents', 'list']]],
  ['prompts/list', [['prompts', 'list']]],
  ['prompts/get', [['messages', 'list']]],
]);
/** Those of which nothing is said but that they are there, or what else is there. */
const capabilities = ['tools', 'prompts', 'resources', 'logging', 'completions'];

/** What in an answer has another shape than MCP gives it, in each of its versions. */
export function shapesOf(method: string, name: string, result: JsonObject): readonly Violation[] {
  switch (method) {
    case 'tools/call':
      // A task, and the results of 2024-10-07, have none.
      return result['content'] === undefined ? [] : misshapenContent(name, result['content']).map(asViolation);
    case 'initialize':
      return [...ofCapabilities(name, result['capabilities']), ...ofServer(name, result['serverInfo'])].map(
        asViolation,
      );
    case 'server/discover':
      return ofCapabilities(name, result['capabilities']).map(asViolation);
    case 'prompts/get':
      return [...ofLists(method, name, result), ...ofMessages(name, result['messages'])];
    case 'tools/list':
      return [...ofLists(method, name, result), ...ofTools(name, result['tools'])];
    default:
      return ofLists(method, name, result);
  }
}

function ofLists(method: string, name: string, result: JsonObject): readonly Violation[] {
  const shapes = lists.get(method);
  return shapes ? misshapen(name, result, shapes).map(asViolation) : [];
}

/** A `true` where an object is wanted, or the empty list that some languages write for an empty object. */
function ofCapabilities(name: string, offered: unknown): Misshape[] {
  const wanted = 'an object, which may be empty';
  if (offered === undefined) return [];
  if (!isObject(offered)) return [misshape(name, 'capabilities', offered, wanted)];
  return capabilities
    .filter((capability) => offered[capability] !== undefined && !isObject(offered[capability]))
    .map((capability) => misshape(name, `capabilities.${capability}`, offered[capability], wanted));
}

function ofServer(name: string, server: unknown): Misshape[] {
  if (server === undefined) return [];
  const isWhole = isObject(server) && typeof server['name'] === 'string' && typeof server['version'] === 'string';
  if (isWhole) return [];
  const flaw = isObject(server) ? 'without its `name` and `version`' : kindOf(server);
  return [misshape(name, 'serverInfo', server, 'an object with a `name` and a `version`, both strings', flaw)];
}

/** A message of a prompt has one block, where other protocols have a text or a list. */
function ofMessages(name: string, messages: unknown): readonly Violation[] {
  const field = 'messages[].content';
  for (const message of arrayOf(messages).slice(0, maxEntries)) {
    const found = misshapen(name, { [field]: objectOf(message)['content'] ?? null }, [[field, 'block']]);
    if (found.length > 0) return found.map(asViolation);
  }
  return [];
}

function ofTools(name: string, tools: unknown): readonly Violation[] {
  const advice =
    'A tool has a `name`, and an `inputSchema` with `"type":"object"` and an object as `properties`: a client may refuse the whole list.';
  const flaws = arrayOf(tools).map((tool) => toolFlaw(objectOf(tool)));
  const first = flaws.findIndex((flaw) => flaw !== undefined);
  const flaw = flaws[first];
  if (flaw === undefined) return [];
  const tool = oneLine(textOf(objectOf(arrayOf(tools)[first])['name']) ?? `number ${first + 1}`, 80);
  const others = flaws.filter((each) => each !== undefined).length - 1;
  const more = others === 0 ? '' : ` and ${others} more`;
  return [{ what: `${name} has a tool ${flaw}: ${tool}${more}`, advice, key: `${name} ${flaw}` }];
}

function toolFlaw({ name, inputSchema, input_schema: misnamed }: JsonObject): string | undefined {
  if (typeof name !== 'string') return 'without a `name`';
  if (inputSchema === undefined) {
    return `without \`inputSchema\`${misnamed === undefined ? '' : ' (it has `input_schema`)'}`;
  }
  const { type, properties } = objectOf(inputSchema);
  if (type !== 'object') return 'whose `inputSchema` has not the type "object"';
  // An empty object of PHP's is a list, unless it takes care; what is null is told of by itself.
  const isMisshapen = properties !== undefined && properties !== null && !isObject(properties);
  return isMisshapen ? `whose \`inputSchema.properties\` is ${kindOf(properties)}` : undefined;
}

function asViolation({ what, wanted, key }: Misshape): Violation {
  return { what, advice: `MCP wants ${wanted}: a client may refuse the message.`, key };
}
