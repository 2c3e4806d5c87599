import { BoundedMap } from '../../protocols/boundedMap';
import type { Asking } from '../turn';

const maxQuestions = 100;

/** What the person is asked. */
export interface OpenQuestion {
  readonly asking: Asking;
  /** The tool call that waits for it, where it is about one. */
  readonly toolId: string | undefined;
}

/** What the person is asked in a stream (control protocol of Claude Code), and is not settled. */
export class OpenQuestions {
  private readonly open = new BoundedMap<string, OpenQuestion>(maxQuestions);

  ask(id: string, question: OpenQuestion): void {
    this.open.set(id, question);
  }

  /** It is answered, or taken back. */
  settle(id: string): OpenQuestion | undefined {
    const question = this.open.get(id);
    this.open.delete(id);
    return question;
  }

  /** The tool has its result: a hook, another client or the end of the input has settled what was asked for it. */
  settleTool(toolId: string): void {
    if (this.open.size === 0) return;
    for (const id of this.open.keys()) if (this.open.get(id)?.toolId === toolId) this.open.delete(id);
  }

  clear(): void {
    this.open.clear();
  }

  /** What is waited for now. */
  get asking(): Asking | undefined {
    return this.open.values()[0]?.asking;
  }
}
