import { t } from '../../text/translator';
import { boundedJson } from '../../text/boundedJson';
import { oneLine } from '../../text/text';
import type { Conversation } from '../conversation/conversation';
import type { Finding } from '../diagnosis';
import type { Rule } from '../rule';
import type { JunkFact } from '../../work/facts';
import { peer } from '../../protocols/terms';

type JunkFinding = Pick<Finding, 'code' | 'what' | 'advice'> & { readonly key?: string };

const framed = t('Each message on stdout needs a header with its exact length in bytes (LSP "Base Protocol").');
const unheard = t(
  'Log to stderr instead: clients built on vscode-jsonrpc, such as VS Code, read nothing after text without a header (LSP "Base Protocol").',
);

/** Lines that aren't messages. Logging to standard output is the most common bug of new agents. */
export const junk: Rule = {
  junk(fact, conversation) {
    if (fact.why === 'batch' && hasBatches(conversation)) return undefined;
    if (conversation.oversized) return undefined; // `messageSizes` reports it
    const judged = judge(fact, conversation.protocol === 'stream-json');
    const isFramed = conversation.protocol === 'lsp' && fact.why === 'not-json';
    const isUnheard = isFramed && judged.code === 'stdout-junk';
    const found = isFramed ? { ...judged, advice: isUnheard ? unheard : framed } : judged;
    if (fact.dir === 'a2c') return { ...found, level: isUnheard ? 'error' : 'warning' };
    // The agent isn't to blame for what the client sends.
    return { ...found, ...sentByClient(found, fact.event.line), level: 'notice' };
  },
};

function sentByClient({ code, what }: JunkFinding, line: string): Partial<JunkFinding> {
  if (code !== 'stdout-junk') return { what: t('The client sent this: {0}', what) };
  return {
    code: 'malformed-message',
    what: t('The client sent text that isn\'t a message: "{0}"', oneLine(line.trim(), 160)),
    advice: t('Each line to the {0} must be one message: check what the client writes to its stdin.', peer),
  };
}

/** One version of MCP had batches. */
function hasBatches({ protocol, initializeParams }: Conversation): boolean {
  return protocol === 'mcp' && initializeParams?.['protocolVersion'] === '2025-03-26';
}

function judge({ event, why }: JunkFact, isStream: boolean): JunkFinding {
  const { line } = event;
  switch (why) {
    case 'too-long':
      return {
        code: 'oversize-message',
        what: t('Line of {0} bytes is too long to read; it starts with: {1}', event.bytes ?? 0, oneLine(line, 120)),
        advice: t('Send less at once: put large contents in several messages or in a file.'),
      };
    case 'batch':
      return {
        code: 'protocol-violation',
        what: t('Batch of messages: {0}', oneLine(line, 120)),
        advice: t("Send one message per line: batches aren't part of the protocol."),
        key: 'batch',
      };
    case 'no-message':
      return {
        code: 'malformed-message',
        what: t('Not a JSON-RPC message: {0}', oneLine(boundedJson(event.msg, 200), 200)),
        advice: isStream
          ? t('Each line has to be one JSON object.')
          : t('A message is an object with a method, or with an id and a result or an error (JSON-RPC 2.0).'),
      };
    case 'not-json':
      return judgeText(line);
  }
}

function judgeText(line: string): JunkFinding {
  const text = line.trim();
  const shown = oneLine(text, 160);
  if (/^Content-Length:/i.test(text)) {
    return {
      code: 'malformed-message',
      what: t('Header instead of a message: "{0}"', shown),
      advice: t(
        'Content-Length framing is that of language servers: here each message is one line of JSON that ends in a line feed.',
      ),
      key: 'framing',
    };
  }
  if (/^\{\s*"(?:jsonrpc|id|method|params|result|error|type)"/.test(text)) {
    const isTwo = /\}\s*\{\s*"(?:jsonrpc|id|method|type)"/.test(text);
    return {
      code: 'malformed-message',
      what: isTwo ? t('Two messages on one line: {0}', shown) : t('Truncated or invalid JSON: {0}', shown),
      advice: t('Write each message whole, in one piece, and end it with a line feed.'),
      key: isTwo ? 'two' : 'cut',
    };
  }
  if (/^(?:[{}[\]],?|"[^"]{1,100}"\s*:.*)$/.test(text)) {
    return {
      code: 'malformed-message',
      what: t('Message spans several lines, such as: {0}', shown),
      advice: t('Write each message on one line: JSON without indentation, and no line breaks in it.'),
      key: 'lines',
    };
  }
  return {
    code: 'stdout-junk',
    what: t('Unexpected text on stdout: "{0}"', shown),
    advice: t('Log to stderr instead.'),
  };
}
