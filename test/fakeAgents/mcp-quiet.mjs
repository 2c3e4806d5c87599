// @ts-check
// A server without the capability `logging`.
import { FakeMcpServer } from './lib/fakeMcpServer.mjs';

new FakeMcpServer({ logging: false }).serve();
