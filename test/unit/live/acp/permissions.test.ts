import assert from 'node:assert/strict';
import type { CancellationToken } from 'vscode-jsonrpc/node';
import { CancellationTokenSource } from 'vscode-jsonrpc/node';
import type { PermissionRequest } from '../../../../src/live/acp/permissions';
import { SessionMap } from '../../../../src/protocols/acp/session';
import { Permissions, rejection } from '../../../../src/live/acp/permissions';

const options = [
  { optionId: 'yes', name: 'Allow', kind: 'allow_once' },
  { optionId: 'never', name: 'Never', kind: 'reject_always' },
  { optionId: 'no', name: 'Reject', kind: 'reject_once' },
] as const;
const params = { sessionId: 's', toolCall: { toolCallId: 't', title: 'rm -rf' }, options };
const never = new CancellationTokenSource().token;

/** Permissions of a user who answers on command, and whose question closes when the token is cancelled. */
function person(): {
  permissions: Permissions;
  /** Asks as the agent does. */
  ask: (token?: CancellationToken) => ReturnType<Permissions['answer']>;
  answer: (id: string | undefined) => void;
  asked: PermissionRequest[];
} {
  let answer: (id: string | undefined) => void = () => undefined;
  const asked: PermissionRequest[] = [];
  const permissions = new Permissions((request, token) => {
    asked.push(request);
    return new Promise((resolve) => {
      answer = resolve;
      token.onCancellationRequested(() => resolve(undefined));
    });
  }, new SessionMap());
  return { permissions, ask: (token = never) => permissions.answer(params, token), answer: (id) => answer(id), asked };
}

const cancelled = { outcome: 'cancelled' };

describe('permissions', () => {
  it('still asks after requests with positional parameters', async () => {
    const { permissions, ask, answer, asked } = person();
    for (let n = 0; n < 25; n++) await assert.rejects(permissions.answer({}, {} as CancellationToken));
    const outcome = ask();
    answer('yes');
    assert.deepEqual([(await outcome).outcome, asked.length], ['selected', 1]);
  });

  it("answers with the user's pick", async () => {
    const { ask, answer, asked } = person();
    const outcome = ask();
    answer('yes');
    assert.deepEqual(await outcome, { outcome: 'selected', optionId: 'yes' });
    assert.equal(asked[0]?.title, 'rm -rf');
  });

  it('rejects with the mildest option if there is no answer', async () => {
    const { ask, answer } = person();
    const outcome = ask();
    answer(undefined);
    assert.deepEqual(await outcome, { outcome: 'selected', optionId: 'no' });
    assert.deepEqual(rejection(options.slice(0, 2)), { outcome: 'selected', optionId: 'never' });
    assert.deepEqual(rejection(options.slice(0, 1)), cancelled);
  });

  it("cancels with the turn, and doesn't ask again until the next", async () => {
    const { permissions, ask, asked } = person();
    permissions.turnStarted('s');
    const pending = ask();
    permissions.turnCancelled('s');
    assert.deepEqual([await pending, await ask(), asked.length], [cancelled, cancelled, 1]);
    permissions.turnStarted('s');
    void ask();
    assert.equal(asked.length, 2);
  });

  it('cancels when the agent withdraws its request', async () => {
    const { ask } = person();
    const source = new CancellationTokenSource();
    const pending = ask(source.token);
    source.cancel();
    assert.deepEqual(await pending, cancelled);
  });

  it('cancels immediately, even if the question is queued behind others', async () => {
    const permissions = new Permissions(() => new Promise(() => undefined), new SessionMap());
    permissions.turnStarted('s');
    const pending = permissions.answer(params, never);
    permissions.turnCancelled('s');
    assert.deepEqual(await pending, cancelled);
  });

  it("keeps cancelling a turn's questions after another turn of the session ends", async () => {
    const { permissions, ask, asked } = person();
    permissions.turnStarted('s');
    permissions.turnStarted('s');
    permissions.turnEnded('s');
    permissions.turnCancelled('s');
    assert.deepEqual(await ask(), cancelled);
    permissions.turnEnded('s');
    void ask();
    assert.equal(asked.length, 1);
  });

  it('leaves other sessions alone', async () => {
    const { permissions, ask, answer } = person();
    const pending = ask();
    permissions.turnCancelled('another');
    answer('yes');
    assert.deepEqual(await pending, { outcome: 'selected', optionId: 'yes' });
  });

  it('never rejects with an option of an unknown kind, and survives malformed requests', async () => {
    const odd = { options: [{ optionId: 'x', kind: 'reject_softly' }, { name: 'no id' }, 7] };
    const permissions = new Permissions(() => Promise.resolve(undefined), new SessionMap());
    for (const request of [odd, null]) assert.deepEqual(await permissions.answer(request, never), cancelled);
  });
});
