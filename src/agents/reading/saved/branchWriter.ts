import { AgentWriter } from '../../../protocols/agentWriter/agentWriter';
import type { AgentSession, WriterContext } from '../../../protocols/agentWriter/verbs';
import { ofFile } from '../../../protocols/agentWriter/verbs';

/** Writes what another process did at the same time in the same session: as a session of its own, because each has one turn at a time. */
export class BranchWriter extends AgentWriter {
  constructor(
    context: WriterContext,
    private readonly branch: number,
  ) {
    super(context, ofFile);
  }

  override in({ id, parent, name }: AgentSession): void {
    if (parent === undefined) super.in({ id: branchId(id, this.branch), name });
    else super.in({ id, parent: branchId(parent, this.branch), name });
  }
}

/** The ID of a session's branch. */
function branchId(session: string, branch: number): string {
  return `${session}/branch-${branch}`;
}

/** True for a session, and for its branches. */
export function isBranchOf(id: string | undefined, session: string | undefined): boolean {
  return id === session || (id !== undefined && session !== undefined && id.startsWith(`${session}/branch-`));
}
