import { parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { HumanError } from '../../text/humanError';
import { t } from '../../text/translator';
import type { OtlpEncoding } from '../otlpHttp';

type Environment = Readonly<Record<string, string | undefined>>;

/** Default for a request with all its retries, in milliseconds: `Retry-After` may ask for a minute. */
const defaultTimeout = 120_000;

/** What OpenTelemetry's variables say, besides headers, certificates and compression, which its exporter reads. */
export interface OtlpVariables {
  /** Without the signal's path. */
  readonly endpoint: string | undefined;
  readonly encoding: OtlpEncoding;
  readonly timeout: number;
  /** For all resources. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** @throws HumanError if they ask for what isn't supported */
export function otlpVariables(env: Environment): OtlpVariables {
  const text = (name: string): string | undefined => env[`OTEL_${name}`]?.trim() || undefined;
  const timeout = Number(text('EXPORTER_OTLP_TIMEOUT'));
  return {
    endpoint: text('EXPORTER_OTLP_ENDPOINT'),
    encoding: encodingOf(text('EXPORTER_OTLP_PROTOCOL')),
    timeout: timeout > 0 && Number.isFinite(timeout) ? timeout : defaultTimeout,
    attributes: parseKeyPairsIntoRecord(text('RESOURCE_ATTRIBUTES')),
  };
}

function encodingOf(protocol: string | undefined): OtlpEncoding {
  switch (protocol) {
    case undefined:
    case 'http/protobuf':
      return 'protobuf';
    case 'http/json':
      return 'json';
    default:
      throw new HumanError(
        t("OTEL_EXPORTER_OTLP_PROTOCOL is {0}, which isn't supported. Use http/protobuf or http/json.", protocol),
      );
  }
}
