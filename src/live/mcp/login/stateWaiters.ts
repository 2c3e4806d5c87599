/** Logins that wait for the browser, by the `state` that they sent it away with. A visit with any other `state` is ignored. */
export class StateWaiters {
  private readonly waiting = new Map<string, (query: URLSearchParams) => void>();

  wait(state: string, signal: AbortSignal): Promise<URLSearchParams> {
    return new Promise((resolve, reject) => {
      const settle = (how: () => void): void => {
        this.waiting.delete(state);
        signal.removeEventListener('abort', onAbort);
        how();
      };
      const onAbort = (): void => settle(() => reject(signal.reason as Error));
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort);
      this.waiting.set(state, (query) => settle(() => resolve(query)));
    });
  }

  /** Returns whether a login was waiting for the visit. */
  accept(query: URLSearchParams): boolean {
    const take = this.waiting.get(query.get('state') ?? '');
    take?.(query);
    return take !== undefined;
  }
}
