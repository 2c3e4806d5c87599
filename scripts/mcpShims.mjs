// @ts-check
// Replaces `@modelcontextprotocol/client/_shims` and the server's, whose JSON Schema validators would be a third of the library.
import process from 'node:process';

export { process };

/** Never asked: our client brings its own, and our server validates nothing by schemas. */
export class DefaultJsonSchemaValidator {
  getValidator() {
    throw new Error('This bundle has no JSON Schema validator.');
  }
}

/** Only browsers have cross-origin checks. */
export const CORS_IS_POSSIBLE = false;
