// @ts-check
// `npm run package`: builds the extension and packages agent-logs.vsix.
//
//   SOURCE_DATE_EPOCH   file times in seconds (default: the commit's time)
import { buildProduction, isPreRelease, makeVsix, ownVersion } from './package/vsix.mjs';

try {
  await buildProduction();
  process.stdout.write(await makeVsix('agent-logs.vsix'));
  if (isPreRelease(ownVersion())) console.log(`${ownVersion()} has an odd minor: it is a pre-release.`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
