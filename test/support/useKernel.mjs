// Before any test: the kernel, as the build puts it into the bundles.
import { kernelVariables } from '../../scripts/kernel.mjs';

Object.assign(globalThis, kernelVariables);
