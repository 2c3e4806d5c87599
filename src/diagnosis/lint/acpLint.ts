import { boundedJson } from '../../log/boundedJson';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf, textOf } from '../../protocols/json';
import { isLogMethod } from '../../protocols/acp/logMessage';
import type { Conversation } from '../conversation/conversation';
import type { Report, Rule } from '../rule';
import type { NotificationFact, RequestFact, ResponseFact } from '../../protocols/facts';
import type { Seen } from '../seen';
import { isCut } from '../seen';
import type { Violation } from './acpFields';
import { ofEntries, ofFields, ofPermission, ofTool } from './acpFields';
import { knownFields, knownMethods, requiredOf, stopReasons } from './acpShapes';

/**
 * What ACP does not allow, in messages of the agent: fields that are missing or have another shape, questions beyond the client's
 * capabilities, names of its own.
 */
export class AcpLint implements Rule {
  passesLog(): boolean {
    return true;
  }

  see(seen: Seen, conversation: Conversation, report: Report): void {
    if ((seen.type !== 'request' && seen.type !== 'notification' && seen.type !== 'response') || seen.dir !== 'a2c') {
      return;
    }
    if (isCut(seen)) return;
    for (const { what, level, advice, key = what } of violations(seen, conversation)) {
      report({ code: 'protocol-violation', level, what, advice, key, at: seen.event.t, raw: seen.event.line });
    }
  }
}

function violations(seen: RequestFact | NotificationFact | ResponseFact, conversation: Conversation): Violation[] {
  if (seen.type === 'response') return ofResult(seen, conversation);
  const method = seen.type === 'request' ? seen.request.method : seen.method;
  const found = [
    ...ofMethod(method),
    ...(conversation.isAcpVersion2 ? [] : ofFields(method, seen.params, requiredOf(method))),
  ];
  if (seen.type === 'request') {
    const isPermission = method === 'session/request_permission' && !conversation.isAcpVersion2;
    return [...found, ...ofQuestion(method, conversation), ...(isPermission ? ofPermission(seen.params) : [])];
  }
  return method === 'session/update' ? [...found, ...ofUpdate(seen, conversation)] : found;
}

function ofMethod(method: string): Violation[] {
  if (method.startsWith('_') || method.startsWith('$/') || knownMethods.has(method) || isLogMethod(method)) return [];
  const advice = 'A method of one\'s own begins with an underscore (ACP "Extensibility"), as `_example.com/name`.';
  return [{ what: `a method that ACP does not have: ${method.slice(0, 80)}`, level: 'notice', advice }];
}

/** What the client did not say it can do must not be asked of it (ACP "Initialization"). */
function ofQuestion(method: string, conversation: Conversation): Violation[] {
  if (!conversation.initializeParams) return [];
  const fs = objectOf(conversation.clientCapabilities['fs']);
  const lacks =
    (method === 'fs/read_text_file' && fs['readTextFile'] !== true) ||
    (method === 'fs/write_text_file' && fs['writeTextFile'] !== true) ||
    (method.startsWith('terminal/') && !conversation.clientCapabilities['terminal']);
  if (!lacks) return [];
  const advice = "Look at `clientCapabilities` first, and do it in the agent's own way where the client cannot.";
  return [{ what: `asks for ${method}, which the client does not offer`, level: 'warning', advice }];
}

function ofUpdate({ params }: NotificationFact, conversation: Conversation): Violation[] {
  const { update } = params;
  if (update === undefined) return [];
  const kind = textOf(objectOf(update)['sessionUpdate']);
  if (!isObject(update) || kind === undefined) {
    const advice = '`update` is an object with a `sessionUpdate` that says what it is.';
    return [
      {
        what: `a session/update without its \`sessionUpdate\`: ${boundedJson(update, 80)}`,
        level: 'warning',
        advice,
        key: 'sessionUpdate',
      },
    ];
  }
  if (conversation.isAcpVersion2) return [];
  return [
    ...ofFields(kind, update, requiredOf(kind)),
    ...(kind === 'tool_call' || kind === 'tool_call_update' ? ofTool(kind, update, conversation) : []),
    ...ofEntries(kind, update),
    ...ofNotice(kind, conversation),
    ...ownFields(kind, update),
  ];
}

function ofNotice(kind: string, { clientCapabilities, initializeParams }: Conversation): Violation[] {
  if (kind !== 'notice' || !initializeParams || objectOf(clientCapabilities['session'])['notices'] !== undefined) {
    return [];
  }
  const advice = 'Send notices only to a client that declares `clientCapabilities.session.notices`.';
  return [{ what: 'a notice, which the client does not know', level: 'warning', advice }];
}

function ownFields(kind: string, update: JsonObject): Violation[] {
  const known = knownFields(kind);
  const own = known ? Object.keys(update).filter((name) => !known.has(name)) : [];
  if (own.length === 0) return [];
  const advice = 'What is one\'s own belongs in `_meta` (ACP "Extensibility").';
  const names = own.slice(0, 5).map((name) => name.slice(0, 40));
  return [{ what: `fields that ACP does not have in a ${kind}: ${names.join(', ')}`, level: 'notice', advice }];
}

function ofResult({ request, result, error }: ResponseFact, conversation: Conversation): Violation[] {
  if (!request || error) return [];
  const fields = objectOf(result);
  const name = `the answer to ${request.method}`;
  if (request.method === 'session/new') return ofFields(name, fields, [['sessionId', 'string']]);
  if (request.method !== 'session/prompt' || conversation.isAcpVersion2) return [];
  if (fields['stopReason'] === undefined) {
    return textOf(fields['messageId']) === undefined ? ofFields(name, fields, [['stopReason', 'any']]) : [];
  }
  if (stopReasons.has(textOf(fields['stopReason']) ?? '')) return [];
  const what = `a stop reason that ACP does not have: ${boundedJson(fields['stopReason'], 60)}`;
  return [{ what, level: 'notice', advice: `It has ${[...stopReasons].join(', ')}.` }];
}
