#!/usr/bin/env node
// @ts-check
// Logs its arguments after `initialize`.
import { FakeAgent } from '../fakeAgents/lib/fakeAgent.mjs';

const agent = new FakeAgent();
agent.on('initialize', () => {
  setImmediate(() => agent.log('info', 'arguments', { data: process.argv.slice(2) }));
  return { protocolVersion: 1 };
});
