import { type Edit, foreignThoughts } from './foreignThoughts.ts';
import { type FieldSpan, splice } from './topLevelFields.ts';

/** Tokens to generate where the caller names no limit: optional in the contract, required by Anthropic's API (wire facts 2.0). */
const defaultMaxTokens = 4096;

/**
 * Body of C as it goes to a service of the same protocol: the very bytes, except where the contract and the services differ or the route says so.
 * Then only these spots are changed: `upstream_model` in place of the model, the contract's `tool_choices` under its real name, the
 * `max_tokens` that the services require, and thoughts of other services left out. `countsOnly`: for count_tokens, which takes no `max_tokens`.
 */
export function messagesEdits(
	body: Buffer,
	fields: ReadonlyMap<string, FieldSpan>,
	upstreamModel: string | undefined,
	countsOnly: boolean,
): Buffer {
	const messages = fields.get('messages');
	const edits: Edit[] = messages ? foreignThoughts(body, messages) : [];
	const model = fields.get('model');
	if (model && upstreamModel !== undefined) {
		edits.push({ start: model.valueStart, end: model.valueEnd, text: JSON.stringify(upstreamModel) });
	}
	const choices = fields.get('tool_choices');
	if (choices && !fields.has('tool_choice')) {
		edits.push({ start: choices.nameStart, end: choices.nameEnd, text: '"tool_choice"' });
	}
	if (model && !countsOnly && !fields.has('max_tokens')) {
		edits.push({ start: model.nameStart, end: model.nameStart, text: `"max_tokens":${defaultMaxTokens},` });
	}
	return edits.length === 0
		? body
		: splice(
				body,
				edits.sort((a, b) => a.start - b.start),
			);
}
