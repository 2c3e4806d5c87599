import type { Words } from '../text/translator';
import { t } from '../text/translator';
import type { Protocol } from '../wire/protocol';
import { isObject, objectOf } from '../text/json';

/** The response to `initialize`: its result, or the error message. */
export type Greeting = { readonly result: unknown } | { readonly error: string };

/** MCP versions are dates. */
const date = /^\d{4}-\d\d-\d\d$/;
/** Validation errors about the version, which is a string in MCP and a number in ACP. */
const wanted =
  /\bprotocol_?version\b.{0,60}?\b(?:expect(?:ed|s)|of type|must be|should be)(?: an?)?(?: valid)? `?(string|number|int(?:eger)?|u16)\b/i;
/** Validation errors about the capabilities, which have another name in ACP. */
const lacksCapabilities = /\b(?:params\.capabilities\b|missing field `?capabilities\b)/i;

const kinds: Readonly<Record<Protocol, Words>> = {
  acp: t('an ACP agent'),
  mcp: t('an MCP server'),
  lsp: t('a language server'),
  'stream-json': t('a program that prints JSON lines'),
};

/** Recognizes an agent of another protocol by its response to `initialize`. */
export function otherProtocol(spoken: Protocol, greeting: Greeting): Protocol | undefined {
  const found = 'error' in greeting ? protocolOfComplaint(greeting.error, spoken) : protocolOfResult(greeting.result);
  return found === spoken ? undefined : found;
}

/** A phrase for an agent of this protocol, with an article. */
export function agentOf(protocol: Protocol): Words {
  return kinds[protocol];
}

/** The field of the settings. */
export function protocolSetting(protocol: Protocol): string {
  return `"protocol": "${protocol}"`;
}

function protocolOfComplaint(words: string, spoken: Protocol): Protocol | undefined {
  const [, type] = wanted.exec(words) ?? [];
  if (type !== undefined) return type.toLowerCase() === 'string' ? 'mcp' : 'acp';
  return spoken === 'acp' && lacksCapabilities.test(words) ? 'mcp' : undefined;
}

function protocolOfResult(result: unknown): Protocol | undefined {
  const { protocolVersion, agentCapabilities, capabilities, serverInfo } = objectOf(result);
  if (isObject(agentCapabilities)) return 'acp';
  // Some agents echo the version that they were offered, whatever it is.
  if (typeof protocolVersion === 'number') return isObject(serverInfo) && isObject(capabilities) ? 'mcp' : 'acp';
  if (typeof protocolVersion === 'string') return date.test(protocolVersion) ? 'mcp' : undefined;
  const isServer = Object.keys(objectOf(capabilities)).some((name) => /^textDocumentSync$|Provider$/.test(name));
  return protocolVersion === undefined && isServer ? 'lsp' : undefined;
}
