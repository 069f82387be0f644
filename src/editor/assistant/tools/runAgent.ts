import * as vscode from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { AgentEndpoint, runsOncePerMessage } from '../../chat/endpoints/agentEndpoint.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { requireTrust } from '../../platform/trust.ts';
import { escapeLinks, escapeMarkdown, formatCodeBlock, toOneLine } from '../../platform/wording.ts';
import type { RunOrigin } from '../../runs/following/runControl.ts';
import { type AgentToRun, resolveAgentToRun } from './agentToRun.ts';
import type { AssistantWork } from './agentWork.ts';
import { AssistantTurn } from './chatTurn.ts';
import { describeRun } from './runDescription.ts';
import type { ToolInput } from './toolInput.ts';
import { createToolResult } from './toolResult.ts';

/** Maximum number of characters of each value in the confirmation, which VS Code shows above the full input. */
const mostShown = 20_000;

/**
 * Runs a published agent or the draft in an agent file, after a confirmation. After cancellation, settles when the run has ended.
 */
export class RunAgent implements vscode.LanguageModelTool<ToolInput> {
	readonly #connections: Connections;
	readonly #work: () => Promise<AssistantWork>;

	constructor(connections: Connections, work: () => Promise<AssistantWork>) {
		this.#connections = connections;
		this.#work = work;
	}

	/** Always asks for confirmation, even if the call isn't valid now: it's validated when it runs, and may be valid by then. */
	async prepareInvocation({ input }: vscode.LanguageModelToolInvocationPrepareOptions<ToolInput>): Promise<vscode.PreparedToolInvocation> {
		const name = escapeLinks(toOneLine(String(input['agent'] ?? '')));
		const message = new vscode.MarkdownString();
		const appendParagraph = (text: string) => message.appendMarkdown(`${escapeMarkdown(text)}\n\n`);
		let title = vscode.l10n.t("Run agent '{0}'?", name);
		try {
			const { connection, document, publishes } = await resolveAgentToRun(this.#connections, await this.#work(), input);
			title = vscode.l10n.t("Run agent '{0}' on '{1}'?", name, escapeLinks(toOneLine(connection.name)));
			if (document) {
				appendParagraph(vscode.l10n.t('Runs the current agent file, including unsaved changes.'));
			} else if (publishes) {
				appendParagraph(vscode.l10n.t("This agent isn't published yet. Running it will publish the saved agent file."));
			}
		} catch (error) {
			appendParagraph(getErrorMessage(error));
		}
		const { query } = input;
		if (query !== undefined) {
			appendParagraph(vscode.l10n.t('Message:'));
			message.appendMarkdown(formatCodeBlock(formatInputValue(query), 'text'));
		}
		appendParagraph(vscode.l10n.t('Inputs:'));
		message.appendMarkdown(formatCodeBlock(formatInputValue(input['inputs'] ?? {}), 'json'));
		return { invocationMessage: vscode.l10n.t("Running '{0}'", name), confirmationMessages: { title, message } };
	}

	async invoke({ input, tokenizationOptions }: vscode.LanguageModelToolInvocationOptions<ToolInput>, token: vscode.CancellationToken) {
		const work = await this.#work();
		const toRun = await resolveAgentToRun(this.#connections, work, input);
		const { connection, agent, document } = toRun;
		if (connection.kind === 'built-in') {
			requireTrust();
		}
		await work.prepareSecrets(connection, agent.name, document?.uri);
		if (token.isCancellationRequested) {
			throw new vscode.CancellationError();
		}
		const isTurn = !document && !runsOncePerMessage(agent) && toRun.query !== undefined;
		const result = await (isTurn ? this.#runChatTurn(work, toRun, token) : this.#startRun(work, toRun, token));
		return createToolResult({ ...result, ...(toRun.warnings.length > 0 && { warnings: toRun.warnings }) }, tokenizationOptions, token);
	}

	async #startRun(
		work: AssistantWork,
		{ connection, agent, inputs, query, document }: AgentToRun,
		token: vscode.CancellationToken,
	): Promise<object> {
		const origin = document ? { draft: createDraftOrigin(document, runsOncePerMessage(agent) ? undefined : query) } : {};
		const request = { model: agent.name, inputs, response_mode: 'streaming' as const, user: connection.user };
		const started = work.start(connection, request, origin);
		const listener = token.onCancellationRequested(() => work.stop(started.key));
		if (token.isCancellationRequested) {
			work.stop(started.key);
		}
		try {
			const record = await started.ended;
			const failure = started.getFailure();
			if (failure !== undefined && record.runId === undefined) {
				// the service refused to start the run
				throw this.#connections.toProblem(connection.id, failure);
			}
			return describeRun(await work.readRun(record));
		} finally {
			listener.dispose();
		}
	}

	/** Runs a turn of a chat agent in a separate conversation. */
	async #runChatTurn(
		work: AssistantWork,
		{ connection, agent, inputs, query = '' }: AgentToRun,
		token: vscode.CancellationToken,
	): Promise<object> {
		const abort = new AbortController();
		const listener = token.onCancellationRequested(() => abort.abort());
		if (token.isCancellationRequested) {
			abort.abort();
		}
		const turn = { id: '', parent: null, role: 'user' as const, parts: [{ kind: 'text' as const, text: query }], at: 0 };
		const collected = new AssistantTurn(agent.name);
		try {
			const client = await this.#connections.getClient(connection.id);
			const request = { model: agent.name, system: '', settings: { inputs }, turns: [turn], user: connection.user };
			for await (const step of new AgentEndpoint(vscode.l10n, agent).streamReply(client, request, abort.signal)) {
				collected.handleStep(step);
			}
			return collected.createResult();
		} catch (error) {
			if (token.isCancellationRequested) {
				throw error;
			}
			const failed = collected.createResult(getErrorMessage(this.#connections.toProblem(connection.id, error)));
			const of = collected.run === undefined ? undefined : { connectionId: connection.id, agentName: agent.name, runId: collected.run };
			const nodes = of && (await work.readServiceRun(of).catch(() => undefined))?.story.nodes;
			return { ...failed, ...(nodes && nodes.length > 0 && { failed_nodes: nodes }) };
		} finally {
			listener.dispose();
		}
	}
}

/**
 * Creates the origin of a draft run. The draft of a chat agent runs in a debug session without breakpoints, because the gateway runs such
 * drafts only in the debugger.
 */
function createDraftOrigin(document: vscode.TextDocument, query: string | undefined): NonNullable<RunOrigin['draft']> {
	const source = document.getText();
	return {
		agentFile: document.uri.toString(),
		async *stream(service, sent, options) {
			const events =
				query === undefined ? service.streamDraft({ ...sent, source }, options) : service.debugRun({ ...sent, source, query }, options);
			for await (const event of events) {
				if (!event.event.startsWith('debug_')) {
					yield event as Exclude<typeof event, { event: `debug_${string}` }>;
				}
			}
		},
	};
}

function formatInputValue(value: unknown): string {
	const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
	return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
