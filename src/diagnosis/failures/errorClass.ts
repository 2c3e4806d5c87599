import { ownHead } from '../../text/ownText';
import { parsedObject } from '../../work/tools/toolOutput';
import { arrayOf, isObject, objectOf } from '../../text/json';
import { loginRequired, resourceNotFound } from '../../work/errorCodes';
import type { RpcError } from '../../work/rpcError';
import type { Conversation } from '../conversation/conversation';
import type { Asked } from '../../work/methodRole';
import { opensSession } from '../../work/methodRole';
import { classOfFailure, classOfStatus, classOfText, generic } from '../../work/failures/failureClass';
import type { FailureClass } from '../../work/failures/failurePatterns';
import { concrete } from '../../work/failures/failurePatterns';
import { isProgramMissingBy } from '../../work/failures/missingProgram';
import { saysMore } from '../../work/failures/ranking';

const maxDepth = 8;
const maxWords = 60;
const statusField = /^(?:https?_?)?(?:status(?:_?code)?|error_?status|http_?status_?code|code)$/i;

/**
 * Classifies an error response: by its message first, then by its data and the HTTP status in it, and by its code last.
 * @param request the request, or one that has the same role
 */
export function classOfError(error: RpcError, request: Asked, conversation: Conversation): FailureClass {
  const found = classOfParts(error);
  if (found !== 'other') return found;
  if (error.code === resourceNotFound && opensSession(request) && request.role !== 'open') return 'no-session';
  // These need the model's provider or an account.
  const needsModel = request.role === 'turn' || request.role === 'open';
  const byConcepts = needsModel ? classOfFailure([error.message, ...wordsIn(error.data)].join(' ')) : 'other';
  return byConcepts === 'other' && isLoginCode(error, request, conversation) ? 'authentication' : byConcepts;
}

/**
 * Whether the code means "log in first" (ACP). It is also the first of the codes that JSON-RPC leaves to each server, and is used as such. So it
 * counts only if the message says nothing, or if the agent offers ways to log in and hasn't opened a session yet.
 */
function isLoginCode({ code, message, data }: RpcError, request: Asked, conversation: Conversation): boolean {
  if (conversation.protocol !== 'acp' || code !== loginRequired || concrete.test(message)) return false;
  if (generic.test(message) || arrayOf(objectOf(data)['authMethods']).length > 0) return true;
  const offersLogin = arrayOf(conversation.initializeResult?.['authMethods']).length > 0;
  return offersLogin && opensSession(request) && !conversation.hasOpenedSession;
}

function classOfParts({ message, data }: RpcError): FailureClass {
  const isMissing = isProgramMissingBy(objectOf(data)['code'], message);
  if (isMissing !== undefined) return isMissing ? 'missing-executable' : 'other';
  const parts = partsOf(data);
  const ofData = classOfText(parts.words.join(' '));
  const ofStatuses = parts.statuses.flatMap((status) => classOfStatus.get(status) ?? []);
  // "Provider returned error" doesn't say why.
  return [ofData, ...ofStatuses].reduce((best, one) => (saysMore(one, best) ? one : best), classOfText(message));
}

/** The texts in an error's data. */
export function wordsIn(data: unknown): readonly string[] {
  return partsOf(data).words;
}

/** The texts in an error's data, and the HTTP statuses among its fields. */
function partsOf(data: unknown): { readonly words: readonly string[]; readonly statuses: readonly number[] } {
  const words: string[] = [];
  const statuses: number[] = [];
  const visit = (value: unknown, name: string, depth: number): void => {
    if (words.length >= maxWords || depth > maxDepth) return;
    if (typeof value === 'string' && name !== 'stack') {
      // Some agents wrap the provider's answer as JSON text, several times.
      const inner = parsedObject(value.trim());
      if (inner === undefined) words.push(ownHead(value, 500));
      else visit(inner, name, depth + 1);
    } else if (typeof value === 'number' && statusField.test(name)) statuses.push(value);
    else if (Array.isArray(value)) for (const one of value.slice(0, 10)) visit(one, name, depth + 1);
    else if (isObject(value)) {
      for (const [field, one] of Object.entries(value).slice(0, 30)) visit(one, field, depth + 1);
    }
  };
  visit(data, '', 0);
  return { words, statuses };
}
