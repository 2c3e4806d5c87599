import { createContext, Script } from 'node:vm';

/**
 * Runs synchronous work with a time limit. V8 stops any JavaScript for it, regular expressions that backtrack included. It costs about
 * 50 µs, because Node starts a thread that watches the clock.
 */
export class TimeLimit {
  private context: { work?: () => unknown } | undefined;
  private script: Script | undefined;

  /** @returns `undefined` if the work took too long. It must leave nothing half done: it may be stopped anywhere. */
  readonly run = <T>(work: () => T, ms: number): { readonly value: T } | undefined => {
    const context = (this.context ??= createContext({}));
    this.script ??= new Script('work()');
    context.work = work;
    try {
      return { value: this.script.runInContext(context, { timeout: ms }) as T };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
      throw error;
    } finally {
      delete context.work;
    }
  };
}
