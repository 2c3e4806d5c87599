import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import { outputText } from '../../protocols/agentWriter/toolText';
import type { AgentWriter } from '../../protocols/agentWriter/agentWriter';
import { PiReader } from '../pi/saved';
import { partsOf } from '../reading/saved/parts';
import type { LineOrigin, SavedReader } from '../reading/saved/savedReader';
import type { SavedForm } from '../savedForm';
import { anyFolder } from '../savedForm';
import { toolEnd } from './items';

/** Letta Code's local backend: `conversations/BASE64URL/messages.jsonl`, pi's entries. A turn that failed has only its prompt. */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '0.32' },
  waits: { records: [], tools: { AskUserQuestion: 'answer', ExitPlanMode: 'plan' }, permissions: 'unrecorded' },
  deletion: { asOf: '0.32.18', rule: 'deletes none' },
  recognises(line) {
    if (line['type'] === 'session') return /^(?:local-conv-|default)/.test(textOf(line['id']) ?? '') && 'cwd' in line;
    const { metadata } = objectOf(line['message']);
    return line['type'] === 'message' && textOf(objectOf(metadata)['conversation_id']) !== undefined;
  },
  reader: () => new LettaReader(),
  roots: [['LETTA_LOCAL_BACKEND_DIR'], ['~', '.letta', 'lc-local-backend']],
  programs: ['letta'],
  files: [{ below: ['conversations', anyFolder], file: () => 'messages.jsonl', id: conversationOf }],
  // What the agent adds to a prompt precedes it.
  ends: { head: 64 * 1024, tail: 32 * 1024 },
};

/** `conversation:ID` or `default:AGENT`, in base64url. */
function conversationOf(folder: string): string {
  const name = Buffer.from(folder, 'base64url').toString('utf8');
  return /^[a-z]{1,20}:([\w.-]{1,200})$/.exec(name)?.[1] ?? folder;
}

class LettaReader implements SavedReader {
  private readonly pi = new PiReader('Letta Code');
  /** The prompt, until something follows it. */
  private unanswered: string | undefined;

  originOf(line: JsonObject): LineOrigin {
    return this.pi.originOf(line);
  }

  forBranch(): SavedReader {
    return new LettaReader();
  }

  read(line: JsonObject, writer: AgentWriter): void {
    const message = objectOf(line['message']);
    const role = line['type'] === 'message' ? message['role'] : undefined;
    if (role === 'user') return this.readPrompt(message, writer);
    this.unanswered = undefined;
    if (role === 'assistant') writer.answeredBy(textOf(message['model']));
    if (role !== 'toolResult') return this.pi.read(line, writer);
    const end = toolEnd(outputText(message['content']), message['isError'] === true);
    writer.toolEnded(textOf(message['toolCallId']), end);
  }

  /** Each attempt of the agent's program adds the prompt again. */
  private readPrompt(message: JsonObject, writer: AgentWriter): void {
    const texts = partsOf(message['content']).map((part) => textOf(part['text']) ?? '');
    const prompt = texts.filter((text) => !isReminder(text)).join('\n');
    if (prompt !== '' && prompt === this.unanswered) return writer.retry({ why: 'the prompt was sent again' });
    writer.settle();
    for (const text of texts.filter(isReminder)) writer.insertedPrompt(text);
    writer.prompt(prompt);
    this.unanswered = prompt;
  }
}

function isReminder(text: string): boolean {
  return text.startsWith('<system-reminder>');
}
