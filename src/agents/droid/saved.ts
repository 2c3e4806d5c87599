import type { JsonObject } from '../../text/json';
import { arrayOf, numberOf, objectOf, textOf, textsOf } from '../../text/json';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import type { Usage } from '../../work/activity';
import { timeBetween } from '../../work/step';
import { hookResult } from '../reading/hookResult';
import { partsOf } from '../reading/saved/parts';
import type { LineOrigin, SavedReader } from '../reading/saved/savedReader';
import type { SavedForm } from '../savedForm';
import { anyFolder, named } from '../savedForm';
import { beside, isUsage } from './beside';
import { sessionUsage, toolEnd } from './items';

/** Maximum number of hooks of an event. */
const maxHooks = 100;

/** Droid: `sessions/-CWD/UUID.jsonl`, and `UUID.settings.json` with what the session used. */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '0.225' },
  waits: {
    records: [],
    tools: {
      AskUser: 'answer',
      ExitSpecMode: 'plan',
      ProposeMission: 'plan',
      RecommendMission: 'plan',
      ExitMissionPlanning: 'plan',
    },
    permissions: 'unrecorded',
  },
  // `sessionRetentionDays` of an organization is for what its server keeps.
  deletion: { asOf: '0.225.2', rule: 'deletes none' },
  recognises,
  reader: () => new DroidReader(),
  roots: [
    ['FACTORY_HOME_OVERRIDE', '.factory'],
    ['~', '.factory'],
  ],
  programs: ['droid'],
  files: [{ below: ['sessions', anyFolder], name: named('', '\\.jsonl') }],
  beside,
  // The first message is what the agent adds to the prompt.
  ends: { head: 64 * 1024, tail: 16 * 1024 },
};

function recognises(line: JsonObject): boolean {
  switch (line['type']) {
    case 'session_start':
      return textOf(line['id']) !== undefined && numberOf(line['version']) !== undefined && 'hostId' in line;
    case 'agent_turn_outcome':
      return textOf(line['turnId']) !== undefined && textOf(line['reason']) !== undefined;
    case 'message':
      return isMessage(line);
    default:
      return isUsage(line);
  }
}

/** Messages like Anthropic's, and IDs that are UUIDs: those of pi are shorter. */
function isMessage(line: JsonObject): boolean {
  const { role, content } = objectOf(line['message']);
  const isOwn = /^(?:context-)?[0-9a-f]{8}-[0-9a-f-]{27}$/.test(textOf(line['id']) ?? '');
  return isOwn && (role === 'user' || role === 'assistant') && Array.isArray(content) && !('uuid' in line);
}

function forkIn({ parent, forkedAtMessageId }: JsonObject): { from: string; last: string } | undefined {
  const [from, last] = [textOf(parent), textOf(forkedAtMessageId)];
  return from === undefined || last === undefined ? undefined : { from, last };
}

class DroidReader implements SavedReader {
  /** What the agent told the user instead of an answer to this prompt. */
  private error: string | undefined;
  private usage: Usage | undefined;
  /** What a hook wants before the agent stops: it becomes a prompt. */
  private wanted: string | undefined;
  /** The session of which this one is a fork, and its last message, until that and the end of its turn were read. */
  private fork: { readonly from: string; readonly last: string } | undefined;
  private isLastRead = false;

  /** A fork begins with the lines of its origin. */
  originOf(line: JsonObject): LineOrigin | undefined {
    if (line['type'] === 'session_start') this.fork = forkIn(line);
    if (!this.fork || (line['type'] !== 'message' && line['type'] !== 'agent_turn_outcome')) return undefined;
    const { from, last } = this.fork;
    if (line['type'] === 'message') {
      if (this.isLastRead) {
        this.fork = undefined;
        return undefined;
      }
      this.isLastRead = line['id'] === last;
    }
    return { type: 'copied', from };
  }

  read(line: JsonObject, writer: AgentWriter): void {
    switch (line['type']) {
      case 'session_start':
        writer.in({ id: textOf(line['id']) ?? 'session' });
        // A fork has its origin's.
        if (!forkIn(line) || line['isSessionTitleManuallySet'] === true) writer.title(textOf(line['title']));
        return writer.started({ agent: 'Droid', folder: textOf(line['cwd']) });
      case 'message':
        return this.readMessage(line, writer);
      case 'agent_turn_outcome':
        return this.readEnd(textOf(line['reason']) ?? '', writer);
      default:
        if (!isUsage(line)) return writer.unknown(textOf(line['type']));
        this.usage = usedIn(objectOf(line['tokenUsage']));
        if (this.usage && writer.isInTurn) writer.usedSoFar(this.usage);
    }
  }

  private readMessage(line: JsonObject, writer: AgentWriter): void {
    const message = objectOf(line['message']);
    if (message['role'] === 'assistant') return readAnswer(message, writer);
    if (message['role'] !== 'user') return writer.unknown(`message/${textOf(message['role']) ?? ''}`);
    if (textOf(message['hookEventName']) !== undefined) return this.readHooks(message, writer);
    const isInserted = (textOf(line['id']) ?? '').startsWith('context-');
    const text = outputText(message['content']);
    if (message['visibility'] === 'user_only' || line['visibility'] === 'user_only') {
      this.error = text.split('\n\n', 1)[0];
      return writer.note({ level: 'warning', logger: 'agent', message: text });
    }
    for (const part of partsOf(message['content'])) {
      if (part['type'] === 'tool_result') {
        const end = toolEnd(outputText(part['content']), part['is_error'] === true);
        writer.toolEnded(textOf(part['tool_use_id']), end);
      } else if (part['type'] !== 'text') writer.other(`part of type ${textOf(part['type']) ?? 'unknown'}`, 'prompt');
      else if (isInserted || message['visibility'] === 'llm_only' || this.isWanted(part)) {
        writer.insertedPrompt(textOf(part['text']) ?? '');
      } else {
        this.error = undefined;
        writer.prompt(textOf(part['text']));
      }
    }
  }

  /** The hooks of an event, in the order of their commands. */
  private readHooks(message: JsonObject, writer: AgentWriter): void {
    const { hookMatcher, hookToolCallId, hookStartTime, hookEndTime } = message;
    const event = textOf(message['hookEventName']) ?? '';
    const results = arrayOf(message['hookResults']).map(objectOf);
    const about = {
      name: textsOf(event, hookMatcher).join(':'),
      toolId: textOf(hookToolCallId),
      ms: timeBetween(numberOf(hookStartTime), numberOf(hookEndTime)),
    };
    for (const [n, hook] of arrayOf(message['hookCommands']).slice(0, maxHooks).map(objectOf).entries()) {
      const { exitCode, stdout, stderr } = results[n] ?? {};
      const run = { exitCode: numberOf(exitCode), stdout: textOf(stdout), stderr: textOf(stderr) };
      const result = hookResult(event, run);
      if (event === 'Stop' && result.outcome === 'refused') this.wanted = result.output;
      writer.hookEnded(undefined, { ...about, command: textOf(hook['command']), ...result });
    }
  }

  private isWanted({ text }: JsonObject): boolean {
    const isWanted = this.wanted !== undefined && textOf(text)?.trim() === this.wanted;
    if (isWanted) this.wanted = undefined;
    return isWanted;
  }

  private readEnd(reason: string, writer: AgentWriter): void {
    const { error = reason.replaceAll('_', ' '), usage } = this;
    this.error = undefined;
    this.usage = undefined;
    const used = usage && { usage };
    if (reason === 'completed') return writer.turnEnded({ outcome: 'ok', ...used });
    if (/cancel|abort|interrupt/.test(reason)) return writer.turnEnded({ outcome: 'cancelled', ...used });
    writer.turnEnded({ outcome: 'error', error, ...used });
  }
}

/** Its thinking tokens are 0 whatever the model reports. */
function usedIn({
  cacheCreationTokens: cacheWriteTokens,
  thinkingTokens: _thinking,
  ...counts
}: JsonObject): Usage | undefined {
  return sessionUsage({ ...counts, cacheWriteTokens });
}

function readAnswer(message: JsonObject, writer: AgentWriter): void {
  writer.uses(message['modelId'], true);
  writer.about({ model: textOf(message['modelId']) });
  for (const part of partsOf(message['content'])) {
    switch (part['type']) {
      case 'text':
        writer.answer(textOf(part['text']));
        break;
      case 'thinking':
        writer.thought(textOf(part['thinking']));
        break;
      case 'tool_use':
        writer.toolStarted(textOf(part['id']), textOf(part['name']), part['input']);
        break;
      default:
        writer.other(`part of type ${textOf(part['type']) ?? 'unknown'}`, 'agent');
    }
  }
}
