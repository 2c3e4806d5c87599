import { numberOf, objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { BesideLine } from '../reading/saved/besideLines';
import type { Beside, BesideForm } from '../beside';

/** Maximum number of subagents to read the logs of. */
const maxSubagents = 50;

/**
 * Copilot's debug log: `GitHub.copilot-chat/debug-logs/ID/main.jsonl` beside the session's folder, written if
 * `github.copilot.chat.agentDebugLog.fileLogging.enabled` is set. Only it has the single calls of models.
 */
export const beside: BesideForm = {
  linesAre: 'model calls from the debug log',
  async lines({ id, names }, files) {
    const storage =
      names[0] === 'globalStorage'
        ? ['globalStorage', 'github.copilot-chat']
        : [...names.slice(0, 2), 'GitHub.copilot-chat'];
    const folder = [...storage, 'debug-logs', id];
    const logs = (await files.names(...folder)).filter((name) => /^(?:main|runSubagent-.{1,200})\.jsonl$/.test(name));
    const calls = await Promise.all(logs.slice(0, maxSubagents).map((name) => callsIn([...folder, name], files)));
    return calls.flat().sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
  },
};

async function callsIn(names: readonly string[], files: Beside): Promise<readonly BesideLine[]> {
  const lines = await files.lines(names, (line) => line.includes('"type":"llm_request"'));
  const isSubagent = names.at(-1) !== 'main.jsonl';
  return lines.flatMap((line) => {
    const { ts, spanId, sid, attrs } = objectOf(parsedJson(line));
    const at = numberOf(ts);
    if (at === undefined || Math.abs(at) > 8.64e15) return [];
    const { model, inputTokens, outputTokens, cachedTokens, ttft } = objectOf(attrs);
    const counts = { inputTokens, outputTokens, cachedTokens, ttft };
    const about = {
      type: 'vscode.call',
      timestamp: new Date(at).toISOString(),
      spanId: textOf(spanId),
      model: textOf(model),
    };
    return { ...about, ...counts, ...(isSubagent && { subAgentInvocationId: textOf(sid) }) };
  });
}
