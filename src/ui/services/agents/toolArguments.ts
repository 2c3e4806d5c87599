import * as vscode from 'vscode';
import { boundedJson } from '../../../text/boundedJson';
import { jsonText } from '../../../text/jsonText';
import type { JsonObject } from '../../../text/json';
import { arrayOf, isObject, objectOf, textOf, textsOf } from '../../../text/json';
import type { Tool } from '../../../live/connection/agentClient';
import { labelText, showInformation, unlinked } from '../../kit/notify';
import { pick } from '../../kit/pick';
import { openText } from '../../kit/openFile';

interface Property {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
}

type Step =
  { readonly type: 'submit' } | { readonly type: 'edit' } | { readonly type: 'ask'; readonly property: Property };

/** Values to ask for, described by a JSON schema. */
export interface Form {
  /** What the values are for. */
  readonly name: string;
  readonly schema: JsonObject;
  readonly title: string;
  readonly submit: string;
  readonly placeholder: string;
  /** Initial values. */
  readonly given?: JsonObject;
}

/** Asks the user for a tool's arguments, following its input schema. Returns `undefined` if they cancel. */
export function askArguments({ name, inputSchema }: Tool): Promise<JsonObject | undefined> {
  if (propertiesOf(inputSchema).length === 0 && inputSchema['additionalProperties'] !== true) {
    return Promise.resolve({});
  }
  return askForm({
    name,
    schema: inputSchema,
    title: vscode.l10n.t('Call {0}', labelText(name)),
    submit: vscode.l10n.t('$(play) Call'),
    placeholder: vscode.l10n.t('Call it, or give more arguments first'),
  });
}

/**
 * Asks the user to fill in a form: first each missing required value, then optional ones, or all values as JSON. Returns `undefined` if
 * they cancel.
 */
export async function askForm(form: Form): Promise<JsonObject | undefined> {
  const properties = propertiesOf(form.schema);
  const given: Record<string, unknown> = { ...form.given };
  for (const property of properties.filter(({ name, required }) => required && !(name in given))) {
    const value = await askValue(form, property, undefined);
    if (value === undefined) return undefined;
    given[property.name] = value.value;
  }
  for (;;) {
    const step = await askStep(form, properties, given);
    if (step === undefined) return undefined;
    if (step.type === 'submit') return given;
    if (step.type === 'edit') return editJson(vscode.l10n.t('Arguments of {0}', form.name), given);
    const value = await askValue(form, step.property, given[step.property.name]);
    if (value) given[step.property.name] = value.value;
  }
}

function propertiesOf(schema: JsonObject): readonly Property[] {
  const required = new Set(arrayOf(schema['required']));
  return Object.entries(objectOf(schema['properties'])).map(([name, property]) => ({
    name,
    schema: objectOf(property),
    required: required.has(name),
  }));
}

function askStep(form: Form, properties: readonly Property[], given: JsonObject): Promise<Step | undefined> {
  return pick<Step>(
    [
      {
        label: form.submit,
        description: labelText(boundedJson(given, 1000), 200),
        value: { type: 'submit' },
      },
      ...properties.map((property) => ({
        label: labelText(property.name),
        description: labelText(describe(property.schema), 200),
        value: { type: 'ask' as const, property },
      })),
      { label: vscode.l10n.t('$(json) Edit the arguments as JSON'), value: { type: 'edit' } },
    ],
    { title: form.title, placeholder: form.placeholder },
  );
}

function describe(schema: JsonObject): string {
  return textsOf(schema['type'], schema['description']).join(' · ');
}

/** Asks for one argument. Validates it if its schema is simple. */
async function askValue(
  form: Form,
  { name, schema }: Property,
  before: unknown,
): Promise<{ value: unknown } | undefined> {
  const choices = schema['type'] === 'boolean' ? [true, false] : arrayOf(schema['enum']);
  const title = labelText(`${form.name}: ${name}`);
  if (choices.length > 0) {
    return pick(
      choices.map((value) => ({
        label: labelText(typeof value === 'string' ? value : boundedJson(value)),
        value: { value },
      })),
      { title, placeholder: labelText(textOf(schema['description']) ?? '', 200) },
    );
  }
  const parse = parserOf(schema);
  const first = before ?? schema['default'];
  const text = await vscode.window.showInputBox({
    title,
    prompt: unlinked(textOf(schema['description']) ?? ''),
    value:
      first === undefined
        ? ''
        : schema['type'] === 'string' && typeof first === 'string'
          ? first
          : (jsonText(first) ?? ''),
    validateInput: (input) => {
      const parsed = parse(input);
      return 'problem' in parsed ? parsed.problem : undefined;
    },
  });
  const parsed = text === undefined ? undefined : parse(text);
  return parsed && 'value' in parsed ? parsed : undefined;
}

type Parsed = { readonly value: unknown } | { readonly problem: string };

function parserOf(schema: JsonObject): (text: string) => Parsed {
  switch (schema['type']) {
    case 'string':
      return (value) => ({ value });
    case 'number':
      return (text) => numberOf(text, Number.isFinite, vscode.l10n.t('Type a number.'));
    case 'integer':
      return (text) => numberOf(text, Number.isSafeInteger, vscode.l10n.t('Type a whole number.'));
    default:
      return jsonOf;
  }
}

function numberOf(text: string, fits: (value: number) => boolean, problem: string): Parsed {
  const value = text.trim() === '' ? NaN : Number(text);
  return fits(value) ? { value } : { problem };
}

function jsonOf(text: string): Parsed {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: vscode.l10n.t('Type JSON. Text needs "quotes".') };
  }
}

/** Lets the user edit an object as JSON in a separate editor. Returns `undefined` if they cancel. */
async function editJson(title: string, object: JsonObject): Promise<JsonObject | undefined> {
  const document = await openText('json', JSON.stringify(object, null, 2));
  const go = vscode.l10n.t('Continue');
  const cancel = vscode.l10n.t('Cancel');
  const question = vscode.l10n.t('{0}: Edit them in the editor, then continue.', title);
  for (let problem: string | undefined; ;) {
    const picked = await showInformation(problem ?? question, go, cancel);
    if (picked !== go) return undefined;
    const edited = objectIn(document.getText());
    if (edited) return edited;
    problem = vscode.l10n.t("{0}: The editor doesn't contain a JSON object. Correct it, then continue.", title);
  }
}

function objectIn(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return areArguments(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value can be used as a tool's arguments. */
export function areArguments(value: unknown): value is JsonObject {
  return isObject(value) && !Array.isArray(value);
}
