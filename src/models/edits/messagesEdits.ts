import { findMaxOutput } from '#contract/text/modelPrices.ts';
import { type Edit, findForeignThoughts } from './foreignThoughts.ts';
import { type FieldSpan, readFieldValue, replaceSpans } from './topLevelFields.ts';

/** Token limit of models whose limit is unknown. The contract makes it optional, but Anthropic's API requires it (wire facts 2.0). */
const unknownLimit = 4096;

/**
 * Returns the body of a messages request (C) for a service of the same protocol. Its bytes stay the same, with these exceptions: the model
 * if the route sets `upstream_model`, the contract's `tool_choices` under its real name, a default `max_tokens`, and removed thinking
 * blocks of other services.
 * @param countsOnly true for count_tokens, which doesn't support `max_tokens`
 */
export function editMessagesBody(
	body: Buffer,
	fields: ReadonlyMap<string, FieldSpan>,
	upstreamModel: string | undefined,
	countsOnly: boolean,
): Buffer {
	const messages = fields.get('messages');
	const edits: Edit[] = messages ? findForeignThoughts(body, messages) : [];
	const model = fields.get('model');
	if (model && upstreamModel !== undefined) {
		edits.push({ start: model.valueStart, end: model.valueEnd, text: JSON.stringify(upstreamModel) });
	}
	const choices = fields.get('tool_choices');
	if (choices && !fields.has('tool_choice')) {
		edits.push({ start: choices.nameStart, end: choices.nameEnd, text: '"tool_choice"' });
	}
	if (model && !countsOnly && !fields.has('max_tokens')) {
		edits.push({
			start: model.nameStart,
			end: model.nameStart,
			text: `"max_tokens":${findMaxOutput(upstreamModel ?? String(readFieldValue(body, model))) ?? unknownLimit},`,
		});
	}
	return edits.length === 0
		? body
		: replaceSpans(
				body,
				edits.sort((a, b) => a.start - b.start),
			);
}
