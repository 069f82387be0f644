import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { getField } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import { runsOncePerMessage } from '../endpoints/agentEndpoint.ts';
import type { ChatTool } from './chatTool.ts';
import { getResultText, mostTokens, runCancellable } from './toolResults.ts';

/**
 * Runs an agent with the input and result of the language model tool `runAgent`. After cancellation, settles when the run has ended.
 */
export type AgentRunner = (
	options: Pick<
		vscode.LanguageModelToolInvocationOptions<Readonly<Record<string, unknown>>>,
		'input' | 'toolInvocationToken' | 'tokenizationOptions'
	>,
	token: vscode.CancellationToken,
) => Promise<vscode.LanguageModelToolResult>;

/** Makes a published agent available as a tool of the chat. */
export function createAgentTool(chosen: ChosenTool, connection: Connection, agent: AgentSummary, run: AgentRunner): ChatTool {
	const { name, description } = agent;
	return {
		chosen,
		title: name,
		where: connection.name,
		description: `Runs the agent "${name}".${description ? ` ${description}` : ''}`,
		inputSchema: createInputSchema(agent),
		async run({ inputs, query }, signal) {
			const input = { agent: name, server: connection.id, ...(inputs !== undefined && { inputs }), ...(query !== undefined && { query }) };
			const text = await runCancellable(signal, async token =>
				getResultText(await run({ input, toolInvocationToken: undefined, tokenizationOptions: mostTokens }, token)),
			);
			const status = parseRunStatus(text);
			if (signal.aborted && status !== undefined && unended.has(status)) {
				throw new Problem(
					'stop-unanswered',
					vscode.l10n.t("Stop was requested for '{0}', but the service hasn't confirmed it. The run may still be going.", name),
				);
			}
			return { text, isError: status !== undefined && !right.has(status) };
		},
	};
}

/** Statuses that aren't errors. A paused run waits for a person. */
const right = new Set(['succeeded', 'partial-succeeded', 'paused']);
/** Statuses of runs that may still be active. */
const unended = new Set(['starting', 'running', 'stopping', 'lost', 'abandoned']);

/** Returns the status in the tool's result, or undefined if the result was cut. */
function parseRunStatus(result: string): string | undefined {
	const status = getField(tryParseJson(result), 'status');
	return typeof status === 'string' ? status : undefined;
}

function createInputSchema(agent: AgentSummary): object {
	const needed = agent.variables.filter(each => each.required && each.default === undefined).map(({ variable }) => variable);
	const converses = agent.mode !== '' && !runsOncePerMessage(agent);
	return {
		type: 'object',
		properties: {
			...(converses && { query: { type: 'string', description: 'The message for the agent.' } }),
			inputs: {
				type: 'object',
				description: "Values for the agent's variables.",
				properties: Object.fromEntries(agent.variables.map(each => [each.variable, createPropertySchema(each)])),
				...(needed.length > 0 && { required: needed }),
			},
		},
		required: [...(converses ? ['query'] : []), ...(needed.length > 0 ? ['inputs'] : [])],
	};
}

const file = {
	type: 'object',
	description: 'A file: {"type": "document", "transfer_method": "remote_url", "url": "https://…"}.',
	properties: { type: { type: 'string' }, transfer_method: { type: 'string' }, url: { type: 'string' } },
};

function createPropertySchema({ variable, label, hint, type, options, max_length: most }: AgentVariable): object {
	const words = [label !== variable ? label : '', hint ?? ''].filter(Boolean).join('. ');
	const described = words ? { description: words } : {};
	switch (type) {
		case 'number':
			return { type: 'number', ...described };
		case 'checkbox':
			return { type: 'boolean', ...described };
		case 'select':
			return { type: 'string', ...(options?.length && { enum: options }), ...described };
		case 'file':
			return file;
		case 'file-list':
			return { type: 'array', items: file, ...described };
		case 'json_object':
			return { type: 'object', ...described };
		default:
			return { type: 'string', ...(most && { maxLength: most }), ...described };
	}
}
