import { chatProgram } from '../../machine/programs';
import { objectOf, textOf } from '../../text/json';
import { parsedJson } from '../../text/jsonText';
import type { SavedForm } from '../savedForm';
import { anyFolder } from '../savedForm';
import { beside } from './beside';
import { detailsOfEnds } from './ends';
import { ChatReader } from './reader';
import { fileOf } from './responsePart';
import { roots } from './roots';
import { sessionLines, SessionReplay } from './sessionReplay';

const file = /^([\w-]{1,100})\.jsonl?$/;

/** VS Code's own chat: `chatSessions/ID.jsonl`, a log of changes, converted into lines. Older versions write one JSON document. */
export const saved: SavedForm = {
  type: 'changes',
  tried: { version: '1.139' },
  waits: { records: ['a confirmation or question without an answer'], tools: {}, permissions: 'recorded' },
  deletion: { asOf: '1.139.1', rule: 'deletes no file; its own list forgets all but the newest 400' },
  recognises: ({ type }) => typeof type === 'string' && type.startsWith('vscode.'), // a line of `SessionReplay`
  reader: () => new ChatReader(),
  document: { list: 'requests', lines: sessionLines },
  changes: {
    recognises: (head) =>
      /^\s*\{"kind":0,"v":\{/.test(head) && /"(?:responderUsername|initialLocation|creationDate)":/.test(head),
    replay: () => new SessionReplay(),
    details: detailsOfEnds,
  },
  // In the editor itself: it knows when it began.
  programs: [chatProgram],
  roots,
  hasSeveralRoots: true,
  isFolderFirst: true,
  files: [
    { below: ['workspaceStorage', anyFolder, 'chatSessions'], name: file },
    { below: ['globalStorage', 'emptyWindowChatSessions'], name: file },
  ],
  beside,
  folderFile: { name: 'workspace.json', folder: (text) => fileOf(textOf(objectOf(parsedJson(text))['folder'])) },
};
