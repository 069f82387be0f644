import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { runsOncePerMessage } from '../../chat/endpoints/agentEndpoint.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { requireTrust } from '../../platform/trust.ts';
import { isFileName, openAgentFile } from './agentFileOf.ts';
import { checkToolInputs } from './agentInputs.ts';
import type { AssistantWork } from './agentWork.ts';
import { findTargetAgent } from './targetAgent.ts';
import { readOptionalText, readRequiredText, type ToolInput } from './toolInput.ts';

/** A model's request to run an agent, after validation. */
export interface AgentToRun {
	readonly connection: Connection;
	readonly agent: AgentSummary;
	readonly inputs: Readonly<Record<string, unknown>>;
	/** Message for a chat agent. */
	readonly query?: string;
	/** The agent file whose draft to run. Undefined to run the published agent. */
	readonly document?: vscode.TextDocument;
	/** True if the run publishes the agent. */
	readonly publishes: boolean;
	/** Warnings about the agent file. */
	readonly warnings: readonly string[];
}

/** Validates a tool call. Rejects with a {@link Problem} that says what is wrong with the agent, server, inputs or message. */
export async function resolveAgentToRun(connections: Connections, work: AssistantWork, input: ToolInput): Promise<AgentToRun> {
	const name = readRequiredText(
		input,
		'agent',
		vscode.l10n.t("'agent' is missing. Expected the name of an agent or the path of its file."),
	);
	const server = readOptionalText(input, 'server');
	const query = readOptionalText(input, 'query');
	const { isKnown, ...meant } = isFileName(name)
		? await resolveDraftAgent(connections, work, name)
		: await resolvePublishedAgent(connections, name, server);
	const { agent } = meant;
	const inputs = checkToolInputs(input, agent, isKnown);
	if (agent.mode !== '' && runsOncePerMessage(agent) && query !== undefined) {
		throw new Problem('wrong-input', vscode.l10n.t("'{0}' isn't a chat agent. Remove 'query' and pass all values as 'inputs'.", name));
	}
	if (agent.mode !== '' && !runsOncePerMessage(agent) && query === undefined) {
		throw new Problem('wrong-input', vscode.l10n.t("'{0}' is a chat agent. Pass the message as 'query'.", name));
	}
	return { ...meant, inputs, ...(query !== undefined && { query }) };
}

type Target = Omit<AgentToRun, 'inputs' | 'query'> & { readonly isKnown: boolean };

async function resolvePublishedAgent(connections: Connections, name: string, server: string | undefined): Promise<Target> {
	const meant = await findTargetAgent(connections, name, server);
	const publishes = meant.connection.kind === 'built-in' && !meant.agent.published;
	return { ...meant, publishes, warnings: [] };
}

async function resolveDraftAgent(connections: Connections, work: AssistantWork, file: string): Promise<Target> {
	requireTrust();
	const document = await openAgentFile(file);
	const connection = connections.list().find(({ kind }) => kind === 'built-in');
	if (!connection) {
		throw new Problem('unknown-connection', vscode.l10n.t("There's no connection to the built-in gateway."));
	}
	const { name, check, faults } = await work.check(document);
	const formatFaultsBySeverity = (severity: 'error' | 'warning') =>
		faults.flatMap(fault =>
			fault.severity === severity ? [`${file}:${fault.line}: ${fault.path ? `${fault.path}: ` : ''}${fault.message}`] : [],
		);
	const errors = formatFaultsBySeverity('error');
	if (errors.length > 0) {
		throw new Problem('wrong-agent-file', vscode.l10n.t("'{0}' has errors and can't run. {1}", file, errors.slice(0, 10).join('\n')));
	}
	const { variables, triggers, mode } = check;
	const unknown = { description: '', workflow_id: null, error: null, updated_at: 0, published: false, draft: true };
	const agent = { ...unknown, name, mode, variables, ...(triggers && { triggers }), file: document.uri.fsPath };
	return { connection, agent, document, publishes: false, warnings: formatFaultsBySeverity('warning'), isKnown: true };
}
