import type { EndCause } from '../../log/termination';
import { advisedEnd } from '../../log/termination';
import { t } from '../../log/translator';
import { HumanError } from '../humanError';

/** Polling interval, in milliseconds. A response that is unusable twice stays so. */
const every = 1000;

/**
 * Waits for the response to `initialize`, but not for another one after an unusable response.
 * @param unusable returns what is wrong with the response, once it has arrived
 * @throws HumanError if it is unusable; otherwise what the work throws
 */
export function unlessUnusable<T>(name: string, work: Promise<T>, unusable: () => EndCause | undefined): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    let wasThere = false;
    const timer = setInterval(() => {
      const cause = unusable();
      if (cause && wasThere) reject(unusableAnswer(name, cause));
      wasThere = cause !== undefined;
    }, every);
    void work.then(resolve, reject).finally(() => clearInterval(timer));
  });
}

function unusableAnswer(name: string, cause: EndCause): HumanError {
  const words = t("{0} answered `initialize`, but the answer can't be read", name);
  return new HumanError(advisedEnd(words, cause), ['output', 'settings']);
}
