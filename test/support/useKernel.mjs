// Before any test: the kernel, as the build puts it into the bundles.
import { kernel } from '../../scripts/kernel.mjs';

Object.assign(globalThis, { agentLogsKernel: kernel });
