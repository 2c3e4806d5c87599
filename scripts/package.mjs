// @ts-check
// `npm run package`: builds the extension and packages agent-logs.vsix.
//
//   SOURCE_DATE_EPOCH   file times in seconds (default: the commit's time)
import { buildProduction, makeVsix } from './package/vsix.mjs';

try {
  await buildProduction();
  process.stdout.write(await makeVsix('agent-logs.vsix'));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
