import { Emitter } from '../text/emitter';
import type { Termination } from '../wire/termination';
import type { JsonObject } from '../text/json';

/** The lifecycle state of a run. */
export type RunState =
  | { readonly type: 'starting' }
  /** `agent` is the response to `initialize`. */
  | { readonly type: 'running'; readonly agent: JsonObject }
  | { readonly type: 'stopping' }
  | { readonly type: 'ended'; readonly at: number; readonly termination: Termination };

/** Keeps the state of a run. An ended run stays ended. */
export class RunLife {
  private readonly emitter = new Emitter<RunState>();
  readonly onDidChange = this.emitter.event;
  private current: RunState = { type: 'starting' };
  private answer: JsonObject | undefined;

  /** The response to `initialize`, also after the end. */
  get agent(): JsonObject | undefined {
    return this.answer;
  }

  get state(): RunState {
    return this.current;
  }

  enter(state: RunState): void {
    // It may have ended while it was being stopped.
    if (this.current.type === 'ended') return;
    this.current = state;
    if (state.type === 'running') this.answer = state.agent;
    this.emitter.fire(state);
  }

  /** Settles when the run has ended. */
  ended(): Promise<Termination> {
    if (this.current.type === 'ended') return Promise.resolve(this.current.termination);
    return new Promise((resolve) => {
      const listener = this.onDidChange((state) => {
        if (state.type !== 'ended') return;
        listener.dispose();
        resolve(state.termination);
      });
    });
  }
}
