import type { AgentOrder, AgentResult } from '../../agent/agentOrder.ts';
import { isObjectValue } from '../../variables/objectValue.ts';
import { askModel, type ModelReply, sumUsageMetadata } from '../model/modelText.ts';
import { findJsonInReply } from '../model/replyJson.ts';
import { NodeError } from '../nodeError.ts';
import type { DeclaredOutput } from './agentSchema.ts';
import type { AgentContext } from './agentWork.ts';

/** Maximum number of times that an agent is asked again for missing outputs. */
const mostRetries = 10;

/**
 * Reads the declared outputs of a job from the agent's text, and asks the model for missing ones. Outputs that are still missing or have
 * the wrong type are handled by their error strategy.
 * @throws {NodeError} if the strategy is to stop or to take the fail branch
 */
export async function requestDeclaredOutputs(
	context: AgentContext,
	declared: readonly DeclaredOutput[],
	order: AgentOrder,
	result: AgentResult,
): Promise<Record<string, unknown>> {
	let found = findJsonInReply(result.text) ?? {};
	const replies: ModelReply[] = [];
	const retries = Math.min(Math.max(...declared.map(getRetryCount)), mostRetries);
	for (let attempt = 0; attempt <= retries && declared.some(output => isMissingOrMistyped(output, found)); attempt++) {
		const reply = await askModel(context.services.models, createOutputRequest(order, result, declared), context.signal);
		replies.push(reply);
		found = { ...found, ...findJsonInReply(reply.text) };
	}
	const { record } = context;
	record.metadata = { ...record.metadata, ...sumUsageMetadata(...result.replies, ...replies) };
	return Object.fromEntries(declared.map(output => [output.name, getDeclaredOutput(output, found)]));
}

function getDeclaredOutput(output: DeclaredOutput, found: Readonly<Record<string, unknown>>): unknown {
	const { name, type, failure_strategy: strategy } = output;
	if (!isMissingOrMistyped(output, found)) {
		return getOwnValue(name, found) ?? null;
	}
	if (strategy?.on_failure === 'default_value') {
		return strategy.default_value ?? null;
	}
	throw new NodeError(
		`The agent didn't return the output '${name}' of type ${type || 'string'}. Describe it more clearly in the task, or give it a default value.`,
		'AgentOutputError',
	);
}

/** Reads only own properties, because an output's name can equal a property name of Object.prototype. */
function getOwnValue(name: string, found: Readonly<Record<string, unknown>>): unknown {
	return Object.hasOwn(found, name) ? found[name] : undefined;
}

/** True if an output is missing or has the wrong type; an optional one may be missing. */
function isMissingOrMistyped({ name, type, required }: DeclaredOutput, found: Readonly<Record<string, unknown>>): boolean {
	const value = getOwnValue(name, found);
	if (value === undefined || value === null) {
		return required !== false;
	}
	const [kind, , item] = /^(\w+)(\[(\w+)\])?$/.exec(type || 'string')?.slice(1) ?? [];
	return kind === 'array'
		? !Array.isArray(value) || (item !== undefined && !value.every(entry => isOfDeclaredType(item, entry)))
		: !isOfDeclaredType(kind ?? 'string', value);
}

function isOfDeclaredType(type: string, value: unknown): boolean {
	switch (type) {
		case 'number':
		case 'integer':
		case 'float':
			return typeof value === 'number';
		case 'boolean':
		case 'bool':
			return typeof value === 'boolean';
		case 'object':
			return isObjectValue(value);
		case 'file':
			// a model can't write a file
			return false;
		case 'any':
			return true;
		default:
			return typeof value === 'string';
	}
}

function getRetryCount({ failure_strategy: strategy }: DeclaredOutput): number {
	const retry = strategy?.retry;
	return typeof retry === 'number' ? retry : retry && retry.enabled !== false ? (retry.max_retries ?? 0) : 0;
}

function createOutputRequest(
	{ model, instruction, history, query }: AgentOrder,
	{ text }: AgentResult,
	declared: readonly DeclaredOutput[],
) {
	const asked = declared.filter(({ type }) => type !== 'file');
	return {
		...model,
		messages: [
			...(instruction === '' ? [] : [{ role: 'system' as const, content: instruction }]),
			...history,
			{ role: 'user' as const, content: query },
			{ role: 'assistant' as const, content: text || '…' },
			{
				role: 'user' as const,
				content: `Put your result into one JSON object with these keys, and write nothing else: ${asked.map(({ name }) => name).join(', ')}.`,
			},
		],
		responseSchema: {
			type: 'object',
			properties: Object.fromEntries(asked.map(output => [output.name, buildOutputSchema(output)])),
			required: asked.map(({ name }) => name),
			additionalProperties: false,
		},
	};
}

function buildOutputSchema({ type, description, array_item: item }: DeclaredOutput): Record<string, unknown> {
	const list = /^array(?:\[(\w+)\])?$/.exec(type);
	return {
		...(list ? { type: 'array', items: { type: toJsonType(list[1] ?? item?.type ?? 'string') } } : { type: toJsonType(type) }),
		...(description && { description }),
	};
}

function toJsonType(type: string): string {
	return { number: 'number', integer: 'integer', float: 'number', boolean: 'boolean', bool: 'boolean', object: 'object' }[type] ?? 'string';
}
