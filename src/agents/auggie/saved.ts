import type { JsonObject } from '../../text/json';
import { arrayOf, numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { Usage } from '../../work/activity';
import { usageOf } from '../../work/usage/usage';
import { numberIn } from '../reading/saved/parts';
import type { SavedReader } from '../reading/saved/savedReader';
import type { SavedForm } from '../savedForm';
import { named } from '../savedForm';
import { historyLines, requestNode, responseNode } from './document';

/** Maximum number of nodes of a request or response to read. */
const maxNodes = 1000;
/** What Auggie says instead of an answer that it didn't get. */
const noAnswer = /^The model returned an empty response\.|^The remote agent crashed due to an error/;
/** The result of a command. */
const returnCode = /<return-code>\s{0,8}(\d{1,10})\s{0,8}<\/return-code>/;
const [outputStart, outputEnd] = ['<output>', '</output>'];
/** The unit of a cost in US dollars; others are credits. */
const dollars = 2;

/**
 * Auggie: `sessions/ID.json`, converted into lines for the session and for each exchange (`documentLines`). Written from its code (0.36.0); no
 * real file was seen. A request that failed isn't saved.
 */
export const saved: SavedForm = {
  type: 'files',
  tried: {},
  recognises: ({ type }) => type === 'auggie.session' || type === 'auggie.request' || type === 'auggie.response',
  reader: () => new AuggieReader(),
  document: { list: 'chatHistory', lines: historyLines },
  roots: [['~', '.augment']],
  programs: ['auggie'],
  waits: { records: [], tools: {}, permissions: 'unrecorded' },
  deletion: { asOf: '0.36.0', rule: 'deletes none' },
  files: [{ below: ['sessions'], name: named('', '\\.json') }],
};

class AuggieReader implements SavedReader {
  /** The parts of exchanges that were read: a response changes when its tools have ended. */
  private readonly seen = { request: -1, response: -1 };

  read(line: JsonObject, writer: AgentWriter): void {
    const index = numberOf(line['index']) ?? 0;
    switch (line['type']) {
      case 'auggie.session':
        writer.in({ id: textOf(line['sessionId']) ?? 'session' });
        writer.started({ agent: 'Auggie', folder: textOf(line['folder']) });
        return writer.title(textOf(line['title']));
      case 'auggie.request':
        if (index <= this.seen.request) return;
        this.seen.request = index;
        return readRequest(line, writer);
      case 'auggie.response':
        if (index <= this.seen.response) return;
        this.seen.response = index;
        return readResponse(line, writer);
      default:
        writer.unknown(textOf(line['type']));
    }
  }
}

function nodesIn(nodes: unknown): readonly JsonObject[] {
  return arrayOf(nodes).slice(0, maxNodes).map(objectOf);
}

function readRequest(line: JsonObject, writer: AgentWriter): void {
  const nodes = nodesIn(line['request_nodes']);
  const texts = nodes.filter(({ type }) => type === requestNode.text).map((node) => textIn(node['text_node']));
  const prompt = texts.some((text) => text !== '') ? texts.join('\n') : (textOf(line['request_message']) ?? '');
  if (prompt !== '') writer.settle();
  for (const node of nodes) {
    if (node['type'] === requestNode.toolResult) readResult(objectOf(node['tool_result_node']), writer);
    else if (node['type'] === requestNode.summary) writer.compacted(undefined);
  }
  if (prompt !== '') writer.prompt(prompt);
}

function readResult(result: JsonObject, writer: AgentWriter): void {
  const output = textOf(result['content']) ?? '';
  writer.toolEnded(textOf(result['tool_use_id']), {
    outcome: result['is_error'] === true ? 'error' : 'ok',
    exitCode: numberIn(output, returnCode),
    ms: numberOf(result['duration_ms']),
    output: printedIn(output),
  });
}

/** What a command printed, without what Auggie says of it. */
function printedIn(output: string): string {
  const [start, end] = [output.indexOf(outputStart), output.lastIndexOf(outputEnd)];
  return start < 0 || end < start ? output : output.slice(start + outputStart.length, end).trim();
}

function readResponse(line: JsonObject, writer: AgentWriter): void {
  const nodes = nodesIn(line['response_nodes']);
  writer.answeredBy(textOf(line['model_id']));
  for (const { type, thinking } of nodes) {
    if (type === responseNode.thinking) writer.thought(textOf(objectOf(thinking)['summary']) ?? textIn(thinking));
  }
  const answer = textOf(line['response_text']) ?? '';
  const isFailure = noAnswer.test(answer);
  if (!isFailure) writer.answer(answer, { isCut: line['completed'] === false });
  writer.usage(textOf(line['request_id']), usageIn(nodes));
  if (line['completed'] === false) return writer.turnEnded({ outcome: 'cancelled' });
  const calls = nodes.filter(({ type }) => type === responseNode.toolUse).map((node) => objectOf(node['tool_use']));
  for (const { tool_use_id: id, tool_name: name, input_json: input } of calls) {
    writer.toolStarted(textOf(id), textOf(name), parsedJson(textOf(input) ?? '') ?? input);
  }
  if (calls.length === 0) writer.mayEnd(isFailure ? { outcome: 'error', error: answer } : { outcome: 'ok' });
}

function textIn(node: unknown): string {
  return textOf(objectOf(node)['content']) ?? '';
}

/** The input leaves out the cache. */
function usageIn(nodes: readonly JsonObject[]): Usage | undefined {
  const of = (type: number): JsonObject | undefined => nodes.findLast((node) => node['type'] === type);
  const { usage_unit: unit, cost_usd: cost } = objectOf(of(responseNode.billing)?.['billing_metadata']);
  const counts = objectOf(of(responseNode.usage)?.['token_usage']);
  const paid = unit === dollars ? Number(cost) : 0;
  return usageOf(counts, 'turn', { convention: { inputExcludesCache: true }, ...(paid > 0 && { cost: paid }) });
}
