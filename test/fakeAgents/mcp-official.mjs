// @ts-check
// The official library over stdio. With the argument `modern` it supports 2026-07-28 only.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { officialServer } from './lib/officialServer.mjs';

const [, , era] = process.argv;
serveStdio(officialServer, { legacy: era === 'modern' ? 'reject' : 'serve' });
