import type { JsonObject } from '../../text/json';
import { objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { AgentReader } from '../../protocols/agentWriter/agentReader';
import type { SavedForm } from '../savedForm';
import { anyFolder } from '../savedForm';
import { beside } from './beside';
import { detailsOfEnds } from './ends';
import { ChatReader } from './reader';
import { HostUsageReader, isHostUsage } from './hostUsage';
import { fileOf } from './responsePart';
import { roots } from './roots';
import { sessionLines, SessionReplay } from './sessionReplay';

const file = /^([\w-]{1,100})\.jsonl?$/;

/** VS Code's own chat: `chatSessions/ID.jsonl`, a log of changes, converted into lines. Older versions write one JSON document. */
export const saved: SavedForm = {
  tried: { version: '1.139' },
  recognises: (line) => isOfChat(line) || isHostUsage(line),
  reader: (): AgentReader => {
    let reader: AgentReader | undefined;
    return {
      read: (line, writer) => (reader ??= isOfChat(line) ? new ChatReader() : new HostUsageReader()).read(line, writer),
    };
  },
  document: sessionLines,
  documentList: 'requests',
  changes: {
    recognises: (head) =>
      /^\s*\{"kind":0,"v":\{/.test(head) && /"(?:responderUsername|initialLocation|creationDate)":/.test(head),
    replay: () => new SessionReplay(),
    details: detailsOfEnds,
  },
  roots,
  hasSeveralRoots: true,
  files: [
    { below: ['workspaceStorage', anyFolder, 'chatSessions'], name: file },
    { below: ['globalStorage', 'emptyWindowChatSessions'], name: file },
  ],
  beside,
  marksTurns: true,
  folderFile: { name: 'workspace.json', folder: (text) => fileOf(textOf(objectOf(parsedJson(text))['folder'])) },
};

/** True for a line of `SessionReplay`. */
function isOfChat({ type }: JsonObject): boolean {
  return typeof type === 'string' && type.startsWith('vscode.');
}
