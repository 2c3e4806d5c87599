import type { Protocol } from '../../wire/protocol';
import { protocolNames } from '../../wire/protocol';
import type { EndCause, Termination } from '../../wire/termination';
import { advisedEnd } from '../../wire/termination';
import type { Words } from '../../text/translator';
import { inEnglish, t } from '../../text/translator';
import { AgentError } from './agentError';
import { HumanError, messageOf, WrongProtocol } from '../../text/humanError';
import { exitText } from '../../protocols/lifecycle';
import { TimedOut } from '../../time/waiting';

const remedies = ['output', 'settings'] as const;
/** How often to check whether the response is unusable, in milliseconds. A response that is unusable twice stays so. */
const every = 1000;

/**
 * Describes why an agent didn't start and how to fix it, in one message.
 * @param died how the agent ended, if that is why it didn't answer
 * @param cause why it can't answer, if it is still running
 */
export function startError(
  { name, protocol }: { readonly name: string; readonly protocol: Protocol },
  error: unknown,
  died: Termination | undefined,
  cause: EndCause | undefined,
): HumanError {
  if (error instanceof WrongProtocol) return error;
  if (died) {
    const end = t('{0} {1} before it answered `initialize`', name, howItEnded(died));
    return new HumanError(advisedEnd(end, died.cause), remedies);
  }
  if (error instanceof TimedOut) {
    return new HumanError(
      t(
        "{0} didn't answer `initialize` within {1} and was stopped. Check that it speaks the {2} with these arguments; otherwise, set its `protocol` in agentLogs.agents. If it needs more time, increase agentLogs.initializeTimeout.",
        name,
        { ms: error.ms },
        protocolNames[protocol],
      ),
      remedies,
    );
  }
  if (error instanceof AgentError) {
    return new HumanError(t('{0} ({1}).', error.words, error.code), remedies, { cause: error });
  }
  if (error instanceof HumanError && error.cause === undefined) return error;
  return new HumanError(
    advisedEnd(t('{0} closed its standard output before it answered `initialize`', name), cause),
    remedies,
    { cause: messageOf(error) },
  );
}

/** The message about unanswered requests includes this. */
function howItEnded({ message = t('ended'), exitCode, signal }: Termination): Words {
  const how = exitText({ code: exitCode ?? null, signal: signal ?? null });
  return inEnglish(message).startsWith(`${inEnglish(how)} `) ? how : message;
}

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
  return new HumanError(advisedEnd(words, cause), remedies);
}
