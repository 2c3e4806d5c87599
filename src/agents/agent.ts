import type { AgentStream } from '../protocols/streams/agentStream';
import type { SavedForm } from './savedForm';

/** What is known about one vendor's agent. */
export interface Agent {
  readonly id: string;
  /** Display name. */
  readonly label: string;
  /** ID of the agent whose formats it varies. It is recognized before that one, and read like it unless it says otherwise. */
  readonly variantOf?: string;
  /** The JSON stream that it prints. */
  readonly stream?: AgentStream | Pick<AgentStream, 'recognises'>;
  /** The sessions that it saves. */
  readonly saved?: SavedForm;
}
