import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { fieldOf } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { AgentSummary, AgentVariable } from '#contract/agents.ts';
import type { ChosenTool } from '#pages/chat/transcript/transcript.ts';
import type { Connection } from '../../connections/connectionTypes.ts';
import { isWorkflow } from '../endpoints/agentEndpoint.ts';
import type { ChatTool } from './chatTool.ts';
import { cancelledBy, mostTokens, textOfResult } from './toolResults.ts';

/** Runs an agent as VS Code's agents have it run: `input` is what that tool takes, the result its JSON. Cancelled, it settles once the run has ended. */
export type AgentRunner = (
	options: Pick<
		vscode.LanguageModelToolInvocationOptions<Readonly<Record<string, unknown>>>,
		'input' | 'toolInvocationToken' | 'tokenizationOptions'
	>,
	token: vscode.CancellationToken,
) => Promise<vscode.LanguageModelToolResult>;

/** A published agent as a tool of the chat. */
export function agentTool(chosen: ChosenTool, connection: Connection, agent: AgentSummary, run: AgentRunner): ChatTool {
	const { name, description } = agent;
	return {
		chosen,
		title: name,
		where: connection.name,
		description: `Runs the agent "${name}".${description ? ` ${description}` : ''}`,
		inputSchema: schemaOf(agent),
		async run({ inputs, query }, signal) {
			const input = { agent: name, server: connection.id, ...(inputs !== undefined && { inputs }), ...(query !== undefined && { query }) };
			const text = await cancelledBy(signal, async token =>
				textOfResult(await run({ input, toolInvocationToken: undefined, tokenizationOptions: mostTokens }, token)),
			);
			const status = statusOf(text);
			if (signal.aborted && status !== undefined && unended.has(status)) {
				throw new Problem('stop-unanswered', vscode.l10n.t('The run of “{0}” was asked to stop and has not ended: it may go on.', name));
			}
			return { text, isError: status !== undefined && !right.has(status) };
		},
	};
}

/** How a run ends that came to its end, or waits for a person, which is no fault. */
const right = new Set(['succeeded', 'partial-succeeded', 'paused']);
/** What is told of a run that nobody knows to have ended. */
const unended = new Set(['starting', 'running', 'stopping', 'lost', 'abandoned']);

/** The status of the run in what the tool tells of it; undefined where that was cut. */
function statusOf(result: string): string | undefined {
	const status = fieldOf(tryParseJson(result), 'status');
	return typeof status === 'string' ? status : undefined;
}

function schemaOf(agent: AgentSummary): object {
	const needed = agent.variables.filter(each => each.required && each.default === undefined).map(({ variable }) => variable);
	const converses = agent.mode !== '' && !isWorkflow(agent);
	return {
		type: 'object',
		properties: {
			...(converses && { query: { type: 'string', description: 'What is asked of the agent.' } }),
			inputs: {
				type: 'object',
				description: 'Values for the variables of the agent.',
				properties: Object.fromEntries(agent.variables.map(each => [each.variable, propertyOf(each)])),
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

function propertyOf({ variable, label, hint, type, options, max_length: most }: AgentVariable): object {
	const words = [label !== variable ? label : '', hint ?? ''].filter(Boolean).join('. ');
	const told = words ? { description: words } : {};
	switch (type) {
		case 'number':
			return { type: 'number', ...told };
		case 'checkbox':
			return { type: 'boolean', ...told };
		case 'select':
			return { type: 'string', ...(options?.length && { enum: options }), ...told };
		case 'file':
			return file;
		case 'file-list':
			return { type: 'array', items: file, ...told };
		case 'json_object':
			return { type: 'object', ...told };
		default:
			return { type: 'string', ...(most && { maxLength: most }), ...told };
	}
}
