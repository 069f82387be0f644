import { Problem } from '#base/problems.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { Translate } from '#base/text/localization.ts';
import type { DebugModelCall, DebugModelReply } from '#contract/debugModelCalls.ts';

type Call = Pick<DebugModelCall, 'messages' | 'tools' | 'schema'>;
type JsonSchema = Readonly<Record<string, unknown>>;

/** Line that ends the reply in a document. The prompt is below it. */
const scissors = '------------------------ >8 ------------------------';
/** Nesting of a schema up to which a document has placeholders. */
const deepest = 5;

/** Formats the prompt of a model call for a person, or another model. */
export function formatPrompt({ messages, tools, schema }: Call): string {
	const sections = [
		...messages.map(({ role, text, calls }) => `${role}:\n${[text, calls].filter(Boolean).join('\n')}`),
		...(tools.length > 0
			? [
					`Tools:\n${tools.map(({ name, description, parameters }) => `- ${name}: ${description}\n  ${JSON.stringify(parameters)}`).join('\n')}`,
				]
			: []),
		...(schema ? [`Reply with JSON that follows this schema:\n${JSON.stringify(schema, undefined, 2)}`] : []),
	];
	return `${sections.join('\n\n')}\n`;
}

/** Creates the text of a document for the reply to a call: a place for the reply, and the prompt as a comment. */
export function createReplyText(call: Call, t: Translate): { readonly language: 'plaintext' | 'jsonc'; readonly content: string } {
	const value = createReplyValue(call);
	const hint =
		value === undefined
			? t('Write the reply above this line. Everything from this line on is ignored.')
			: t('Write the reply above this line, as JSON. Everything from this line on is ignored.');
	const rest = [scissors, hint, '', ...formatPrompt(call).trimEnd().split('\n')];
	return value === undefined
		? { language: 'plaintext', content: `\n\n${rest.join('\n')}\n` }
		: {
				language: 'jsonc',
				content: `${JSON.stringify(value, undefined, 2)}\n\n${rest.map(line => `// ${line}`.trimEnd()).join('\n')}\n`,
			};
}

/** Parses the text of a document as the reply to a call. Throws a {@link Problem} if it isn't the expected JSON. */
export function parseReplyText(call: Call, content: string, t: Translate): DebugModelReply {
	const lines = content.split(/\r?\n/);
	const end = lines.findIndex(line => line.replace(/^\/\/ ?/, '').trimEnd() === scissors);
	const written = end < 0 ? lines : lines.slice(0, end);
	const text = written.slice(0, written.findLastIndex(line => line !== '') + 1).join('\n');
	if (call.tools.length === 0 || !text.trimStart().startsWith('{')) {
		return { text };
	}
	const value = tryParseJson(text);
	if (value === undefined) {
		throw new Problem('invalid-reply', t('The reply isn\'t valid JSON. Put text without a tool call into "text".'));
	}
	const { text: said = '', calls = [], ...others } = value as { readonly text?: unknown; readonly calls?: unknown };
	const areCalls =
		Array.isArray(calls) &&
		calls.every(each => typeof each?.name === 'string' && isObject(each.arguments) && Object.keys(each).length === 2);
	if (!areCalls || Object.keys(others).length > 0) {
		throw new Problem(
			'invalid-reply',
			t('Expected an object with "text" and "calls". Each call has a "name" and an object of "arguments".'),
		);
	}
	return { text: typeof said === 'string' ? said : JSON.stringify(said), calls: calls as NonNullable<DebugModelReply['calls']> };
}

/** Returns an example of the reply, undefined for text. */
function createReplyValue({ tools: [tool], schema }: Call): unknown {
	if (tool) {
		const args = createPlaceholder(tool.parameters, 0);
		return { text: '', calls: [{ name: tool.name, arguments: isObject(args) ? args : {} }] };
	}
	return schema && createPlaceholder(schema, 0);
}

/** Returns a value of the type that a schema asks for. */
function createPlaceholder(schema: unknown, depth: number): unknown {
	const { type, properties, enum: choices, items } = (isObject(schema) ? schema : {}) as JsonSchema;
	const [kind] = Array.isArray(type) ? type : [type ?? (isObject(properties) ? 'object' : 'string')];
	if (depth > deepest) {
		return null;
	}
	switch (kind) {
		case 'object':
			return Object.fromEntries(
				Object.entries(isObject(properties) ? properties : {}).map(([name, inner]) => [name, createPlaceholder(inner, depth + 1)]),
			);
		case 'array':
			return isObject(items) ? [createPlaceholder(items, depth + 1)] : [];
		case 'number':
		case 'integer':
			return 0;
		case 'boolean':
			return false;
		case 'null':
			return null;
		default:
			return Array.isArray(choices) ? choices[0] : '';
	}
}

function isObject(value: unknown): value is JsonSchema {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
