import { boundedJson } from '../../log/boundedJson';
import type { JsonObject } from '../../protocols/json';
import { isObject, objectOf, textOf } from '../../protocols/json';
import { isLogMethod } from '../../protocols/acp/logMessage';
import type { Conversation } from '../conversation/conversation';
import type { Findings, Rule } from '../rule';
import type { NotificationFact, RequestFact, ResponseFact } from '../../protocols/facts';
import type { Violation } from './acpFields';
import { ofEntries, ofFields, ofPermission, ofTool } from './acpFields';
import { knownFields, knownMethods, requiredOf, stopReasons } from './acpShapes';

/**
 * What ACP does not allow, in messages of the agent: fields that are missing or have another shape, questions beyond the client's
 * capabilities, names of its own.
 */
export const acpLint: Rule = {
  request(fact, conversation) {
    const { params } = fact;
    const { method } = fact.request;
    const isPermission = method === 'session/request_permission' && !conversation.isAcpVersion2;
    return found(fact, () => [
      ...ofCall(method, params, conversation),
      ...ofQuestion(method, conversation),
      ...(isPermission ? ofPermission(params) : []),
    ]);
  },

  notification(fact, conversation) {
    const { method, params } = fact;
    return found(fact, () => [
      ...ofCall(method, params, conversation),
      ...(method === 'session/update' ? ofUpdate(fact, conversation) : []),
    ]);
  },

  response: (fact, conversation) => found(fact, () => ofResult(fact, conversation)),
};

/** In a message of which only a part was kept, what is missing may have been left out by us. */
function found(
  { dir, event }: RequestFact | NotificationFact | ResponseFact,
  violations: () => readonly Violation[],
): Findings {
  if (dir !== 'a2c' || event.bytes !== undefined) return undefined;
  return violations().map(({ what, key = what, ...rest }) => ({ code: 'protocol-violation', what, key, ...rest }));
}

function ofCall(method: string, params: JsonObject, conversation: Conversation): Violation[] {
  return [...ofMethod(method), ...(conversation.isAcpVersion2 ? [] : ofFields(method, params, requiredOf(method)))];
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
