import { countUsedTokens } from '#base/records/amount.ts';
import { isRecord } from '#base/records/plainValues.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import type { MessagesRequest } from '#contract/text/messages.ts';
import { getTextLimit } from '#runs/request/typedValue.ts';
import type { SuiteClient } from '../running/suiteService.ts';
import { takesQuery } from './inputRows.ts';
import type { GeneratedRow } from './runSample.ts';

/** Number of rows to ask for at once. */
const rowsPerReply = 20;
const longestReply = 8_000;
/** Number of replies in a row without a new row, after which no more are asked for. */
const mostEmpty = 2;

/** What the rows are for. */
interface RowSchema {
	readonly agent: string;
	/** What the agent does, and what the rows should be like. */
	readonly description: string;
	readonly variables: readonly AgentVariable[];
	/** True if the agent gets a message. */
	readonly hasQuery: boolean;
}

/** Returns what a model needs to know about an agent. `about` says what the rows should be like. */
export function createRowSchema(agent: AgentSummary, about: string | undefined): RowSchema {
	const description = [agent.description, about].filter(Boolean).join('\n');
	return { agent: agent.name, description, variables: agent.variables, hasQuery: takesQuery(agent) };
}

/** Characters and tokens, for estimates: a token has about four characters, and a value of a row about 30 tokens. */
const charactersPerToken = 4;
const tokensPerValue = 30;

/** Estimates the tokens for rows from the length of the requests and the number of values. All replies are assumed to fit. */
export function estimateModelRows(schema: RowSchema, { model, count }: { readonly model: string; readonly count: number }) {
	const requests = Math.ceil(count / rowsPerReply);
	const output = count * tokensPerValue * (schema.variables.length + Number(schema.hasQuery));
	const request = JSON.stringify(createRequest(schema, model, rowsPerReply, [])).length / charactersPerToken;
	// each further request has the last rows again
	const repeated = (output / count) * rowsPerReply * (requests - 1);
	return { requests, input: Math.round(request * requests + repeated), output };
}

/** Rows that a model wrote. */
interface ModelRows {
	readonly rows: readonly GeneratedRow[];
	/** Number of rows that don't fit the variables. */
	readonly unfit: number;
	readonly tokens: number;
}

/** Asks a model for rows with the inputs of an agent. Rejects with the client's error. */
export async function writeModelRows(
	schema: RowSchema,
	{ model, count }: { readonly model: string; readonly count: number },
	createMessage: (body: MessagesRequest) => ReturnType<SuiteClient['createMessage']>,
): Promise<ModelRows> {
	const rows = new Map<string, GeneratedRow>();
	let [unfit, tokens] = [0, 0];
	for (let empty = 0; rows.size < count && empty < mostEmpty; ) {
		const before = rows.size;
		const { content, usage } = await createMessage(createRequest(schema, model, Math.min(rowsPerReply, count - before), [...rows.keys()]));
		tokens += countUsedTokens(usage);
		for (const cells of listReplied(content)) {
			if (!fitsSchema(cells, schema)) {
				unfit++;
			} else if (rows.size < count && !rows.has(JSON.stringify(cells))) {
				rows.set(JSON.stringify(cells), { $name: `generated ${rows.size + 1}`, $generated: model, ...cells });
			}
		}
		empty = rows.size === before ? empty + 1 : 0;
	}
	return { rows: [...rows.values()], unfit, tokens };
}

function createRequest(
	{ agent, description, variables, hasQuery }: RowSchema,
	model: string,
	count: number,
	known: readonly string[],
): MessagesRequest {
	const properties = Object.fromEntries(variables.map(variable => [variable.variable, describeVariable(variable)]));
	const query = { query: { type: 'string', description: 'Message of the user.' } };
	const required = [...(hasQuery ? ['query'] : []), ...variables.filter(variable => variable.required).map(({ variable }) => variable)];
	const row = { type: 'object', properties: { ...(hasQuery && query), ...properties }, required };
	return {
		model,
		max_tokens: longestReply,
		system:
			'You write inputs for testing an agent. Cover usual requests, rare ones, unclear ones and mistakes, each different from the others. Invent names and numbers; use no real personal data. Call the tool "rows".',
		messages: [
			{
				role: 'user',
				content: [
					`Agent: ${agent}`,
					`Description: ${description || 'none'}`,
					`Number of rows: ${count}`,
					...(known.length > 0 ? [`Rows that exist already:\n${known.slice(-rowsPerReply).join('\n')}`] : []),
				].join('\n'),
			},
		],
		tools: [
			{
				name: 'rows',
				description: 'Takes the rows.',
				input_schema: { type: 'object', properties: { rows: { type: 'array', items: row } }, required: ['rows'] },
			},
		],
		tool_choice: { type: 'tool', name: 'rows' },
	};
}

function describeVariable(variable: AgentVariable): object {
	const { type, label, options, hint } = variable;
	const most = getTextLimit(variable);
	const jsonType = { number: 'number', checkbox: 'boolean', json_object: 'object' }[type] ?? 'string';
	return {
		type: jsonType,
		description: [label, hint].filter(Boolean).join('. '),
		...(type === 'select' && options && { enum: options }),
		...(most !== undefined && { maxLength: most }),
	};
}

function listReplied(content: readonly { readonly type: string; readonly [field: string]: unknown }[]): readonly unknown[] {
	const called = content.find(({ type, name }) => type === 'tool_use' && name === 'rows');
	const rows = isRecord(called?.['input']) ? called['input']['rows'] : undefined;
	return Array.isArray(rows) ? rows : [];
}

function fitsSchema(cells: unknown, { variables, hasQuery }: RowSchema): cells is Readonly<Record<string, unknown>> {
	if (!isRecord(cells) || (hasQuery && (typeof cells['query'] !== 'string' || cells['query'] === ''))) {
		return false;
	}
	const names = [...(hasQuery ? ['query'] : []), ...variables.map(({ variable }) => variable)];
	return (
		Object.keys(cells).every(name => names.includes(name)) && variables.every(variable => fitsVariable(cells[variable.variable], variable))
	);
}

function fitsVariable(value: unknown, variable: AgentVariable): boolean {
	const { type, required, options = [] } = variable;
	if (value === undefined) {
		return !required;
	}
	switch (type) {
		case 'number':
			return typeof value === 'number';
		case 'checkbox':
			return typeof value === 'boolean';
		case 'json_object':
			return isRecord(value);
		case 'select':
			return options.includes(value as string);
		default:
			return typeof value === 'string' && [...value].length <= (getTextLimit(variable) ?? Number.POSITIVE_INFINITY);
	}
}
