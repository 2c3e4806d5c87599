import type { SavedForm } from '../savedForm';
import { beside } from './beside';
import { anyFolder } from '../savedForm';
import { readAbout } from './about';
import { CopilotReader, isEvent } from './events';

/** GitHub Copilot CLI: `session-state/UUID/events.jsonl`. Subagents write into the same file, with an `agentId`. */
export const saved: SavedForm = {
  type: 'files',
  tried: { version: '1.0' },
  waits: {
    records: ['`permission.requested`'],
    tools: { ask_user: 'answer', exit_plan_mode: 'plan' },
    permissions: 'recorded',
  },
  deletion: { asOf: '1.0.102', rule: 'deletes none, unless it is asked to' },
  // What the stream alone has is marked.
  recognises: (line) => isEvent(line) && line['ephemeral'] !== true,
  reader: () => new CopilotReader(),
  roots: [['COPILOT_HOME'], ['~', '.copilot']],
  files: [{ below: ['session-state', anyFolder], file: () => 'events.jsonl' }],
  about: { file: () => 'workspace.yaml', read: readAbout },
  beside,
  marks: { type: 'lock', file: /^inuse\.(\d+)\.lock$/ },
};
