import * as vscode from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { listServerAgents } from './targetAgent.ts';
import { readOptionalText, type ToolInput } from './toolInput.ts';
import { createToolResult } from './toolResult.ts';

/** Lists the agents of all connections, or of one, with their inputs. */
export class ListAgents implements vscode.LanguageModelTool<ToolInput> {
	readonly #connections: Connections;

	constructor(connections: Connections) {
		this.#connections = connections;
	}

	prepareInvocation(): vscode.PreparedToolInvocation {
		return { invocationMessage: vscode.l10n.t('Listing agents') };
	}

	async invoke({ input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<ToolInput>, token: vscode.CancellationToken) {
		const listed = await listServerAgents(this.#connections, readOptionalText(input, 'server'));
		const servers = listed.map(({ connection, agents, problem }) => ({
			server: connection.name,
			...(problem !== undefined && { problem }),
			agents: agents.map(describeAgent),
		}));
		return createToolResult(
			{ servers: servers.filter(({ agents, problem }) => agents.length > 0 || problem !== undefined) },
			tokenizationOptions,
			token,
		);
	}
}

function describeAgent({ name, mode, description, published, file, variables, triggers, error }: AgentSummary): object {
	return {
		agent: name,
		...(mode && { mode }),
		...(description && { description }),
		...(file !== null && { published, file: vscode.workspace.asRelativePath(file) }),
		...(error && { error }),
		inputs: variables.map(({ variable, label, type, required, max_length, options, default: value, hint }) => ({
			name: variable,
			type,
			required,
			...(label && label !== variable && { label }),
			...(hint && { hint }),
			...(options && { options }),
			...(max_length && { max_length }),
			...(value !== undefined && { default: value }),
		})),
		...(triggers && { begins_with: triggers.map(({ id, title, type }) => ({ id, title, type })) }),
	};
}
