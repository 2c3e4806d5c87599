import type { FaultPlace, PageFault } from '../explorer/page/pageFault';
import { maxFault } from '../explorer/page/pageFault';

/** The events of a window that tell of errors. */
interface FaultEvents {
  addEventListener(
    type: 'error',
    listener: (event: { readonly error?: unknown; readonly message: string }) => void,
  ): void;
  addEventListener(type: 'unhandledrejection', listener: (event: { readonly reason: unknown }) => void): void;
}

/** The page's internal errors, from wherever they come. Tells the host each place once: what fails once usually fails again. */
export class Faults {
  private readonly reported = new Set<FaultPlace>();

  constructor(private readonly send: (fault: PageFault) => void) {}

  report(place: FaultPlace, error: unknown): void {
    if (this.reported.has(place)) return;
    this.reported.add(place);
    const text = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
    this.send({ place, text: text.slice(0, maxFault) });
  }

  /** Reports what nothing else in the page handles. */
  listen(page: FaultEvents): void {
    page.addEventListener('error', ({ error, message }) => {
      // Chromium's notice that a size is observed again in the next frame.
      if (!message.startsWith('ResizeObserver loop')) this.report('event', error ?? message);
    });
    page.addEventListener('unhandledrejection', ({ reason }) => this.report('answer', reason));
  }
}
