// @ts-check
// Speaks version 2 of ACP.
import { ndJsonStream } from '@agentclientprotocol/sdk/experimental/v2/unstable';
import { Readable, Writable } from 'node:stream';
import { serveVersion2 } from './lib/version2Agent.mjs';

serveVersion2(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
