import * as vscode from 'vscode';
import { type GraphNode, readAgentGraph } from '#agentFile/agentGraph.ts';
import { Problem } from '#base/problems.ts';
import type { EndpointKind } from '#pages/chat/transcript/transcript.ts';
import type { EditedPrompt, PromptColumn, PromptSource, PromptState } from '#pages/prompt/promptMessages.ts';
import type { AgentReadings } from '../agents/files/agentReadings.ts';
import { editGraph } from '../agents/graph/graphEdits.ts';
import type { ReplySource } from '../chat/replies/replyRun.ts';
import { findSettingProblems } from '../chat/settingFields.ts';
import { Targets } from '../chat/targets.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import { ComparedTexts } from '../platform/comparedTexts.ts';
import { readPriceSettings } from '../platform/priceSettings.ts';
import { requireTrust } from '../platform/trust.ts';
import { showSource } from '../runs/inspector/inspectorActions.ts';
import { planPromptEdits } from './applyPrompt.ts';
import { describeTemplate } from './nodePrompt.ts';
import { toEndpointSettings } from './promptParameters.ts';
import { createPromptTurns, findMissingValue } from './promptRequest.ts';

interface PromptActionParts {
	readonly connections: Connections;
	/** Runs before each request to an agent. */
	readonly prepare: PrepareAgent;
	readonly readings: () => Promise<AgentReadings>;
	readonly log: vscode.LogOutputChannel;
}

/** Actions of playgrounds on services and agent files. */
export class PromptActions {
	readonly connections: Connections;
	readonly targets: Targets;
	readonly log: vscode.LogOutputChannel;
	/** Disposed by the pages. */
	readonly compared = new ComparedTexts('agent-workbench-answer');
	readonly #parts: PromptActionParts;

	constructor(parts: PromptActionParts) {
		this.#parts = parts;
		this.connections = parts.connections;
		this.targets = new Targets(parts.connections, vscode.l10n, readPriceSettings);
		this.log = parts.log;
	}

	/** Prepares the request of an answer. Rejects with the problem to show instead of the answer. */
	async openSource(
		{ endpoint: kind, connectionId, model }: { readonly endpoint: EndpointKind; readonly connectionId: string; readonly model: string },
		prompt: EditedPrompt,
		source: PromptSource,
	): Promise<ReplySource> {
		if (source.file !== undefined) {
			requireTrust();
		}
		const settings = toEndpointSettings(kind, prompt.parameters);
		const [problem] = Object.values(findSettingProblems(vscode.l10n, kind, settings));
		if (problem) {
			throw new Problem('settings', problem);
		}
		const { system, turns } = createPromptTurns(prompt);
		if (turns.length === 0) {
			throw new Problem('no-prompt', vscode.l10n.t('The prompt is empty. Enter a message first.'));
		}
		const missing = findMissingValue(prompt);
		if (missing !== undefined) {
			throw new Problem(
				'no-value',
				vscode.l10n.t("'{0}' has no value, so a message would be empty. Enter a value under Variables.", missing),
			);
		}
		const connection = this.targets.getConnection({ connectionId });
		const endpoint = await this.targets.createEndpoint(kind, connection, model);
		const client = await this.connections.getClient(connection.id);
		if (kind === 'agent') {
			await this.#parts.prepare(connection, model);
		}
		const outputLimit = await this.targets.findOutputLimit(kind, connection, model);
		const price = this.targets.findPrice(kind, connection, model);
		const request = { model, system, settings, turns, user: connection.user, ...(outputLimit !== undefined && { outputLimit }) };
		return {
			model,
			...(price && { price }),
			explainError: error => this.connections.toProblem(connection.id, error),
			streamSteps: signal => endpoint.streamReply(client, request, signal),
		};
	}

	/**
	 * Writes the prompt and a column's model to the node, as one edit of its file. Returns a message for the user, and the new source if the
	 * file was changed.
	 */
	async applyPrompt(
		{ model }: PromptColumn,
		{ source, prompt }: PromptState,
	): Promise<{ readonly text: string; readonly source?: PromptSource }> {
		const { document, node } = await this.#openNode(source);
		const edits = planPromptEdits(node, { prompt, source, model });
		if (!edits) {
			const message = vscode.l10n.t("The messages of '{0}' changed in the file. Close this playground and open it again.", node.title);
			throw new Problem('prompt-changed', message);
		}
		if (edits.length === 0) {
			return { text: vscode.l10n.t("'{0}' already has this prompt, model and parameters.", node.title) };
		}
		const result = await editGraph(document, { do: 'editFields', edits }, await this.#parts.readings());
		if ('refused' in result) {
			throw new Problem('refused', result.refused);
		}
		const after = await this.#openNode(source);
		return {
			text: vscode.l10n.t("Applied to '{0}' in {1}.", node.title, vscode.workspace.asRelativePath(document.uri)),
			source: { ...source, ...describeTemplate(after.node) },
		};
	}

	/** Shows the node in its file, if possible in a different column than the playground. */
	async showSource(source: PromptSource, playground: vscode.ViewColumn | undefined): Promise<void> {
		const { document, offset } = await this.#openNode(source);
		await showSource({ uri: document.uri, line: document.positionAt(offset).line + 1 }, playground);
	}

	async #openNode({ file, node: id, title }: PromptSource): Promise<NodeInDocument> {
		const document = file === undefined ? undefined : await openDocument(vscode.Uri.parse(file));
		const reading = document && (await (await this.#parts.readings()).readDocument(document));
		const node = reading && readAgentGraph(reading.content).nodes.find(each => each.id === id);
		if (!node) {
			throw new Problem('no-node', vscode.l10n.t("The node '{0}' no longer exists.", title));
		}
		return { document, node, offset: reading.blocks[node.at]?.start ?? 0 };
	}
}

interface NodeInDocument {
	readonly document: vscode.TextDocument;
	readonly node: GraphNode;
	/** Offset of the node in the text. */
	readonly offset: number;
}

/** Opens a document, unless its file was deleted. */
async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
	try {
		return await vscode.workspace.openTextDocument(uri);
	} catch {
		return undefined;
	}
}
